import type { AppView, CheckLine } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { useCall } from '../../parts/hooks.ts'
import { ErrorNotice } from '../../parts/notice.tsx'

const MARKS = { ok: '✓', warning: '!', failed: '✕', skipped: '–' } as const

/** Checks this computer and shows each result as it arrives. */
export const CheckComputer = ({ check }: { readonly check: AppView['check'] }) => {
  const { api, texts } = useSurroundings()
  const words = texts.check
  const { pending, error, run } = useCall()
  const running = pending || check?.running === true
  const lines = check?.lines ?? []
  const count = (state: CheckLine['state']) => lines.filter((line) => line.state === state).length
  const isOver = !running && lines.length > 0
  return (
    <section class="computer-check">
      <button type="button" class="plain" aria-disabled={running} onClick={() => !running && run(api.checkComputer)}>
        {running ? words.running : words.run}
      </button>
      {error !== undefined && <ErrorNotice error={error} during="settings" host={undefined} role="alert" />}
      <p role="status">{isOver && words.summary(count('failed'), count('warning'))}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line, at) => (
            <Line key={at} line={line} />
          ))}
        </ul>
      )}
    </section>
  )
}

const Line = ({ line: { name, state, sentence, advice, details } }: { readonly line: CheckLine }) => {
  const { texts } = useSurroundings()
  return (
    <li class={state}>
      <span class="mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      <div>
        <p>
          <b>{texts.check.states[state]}</b> {texts.check.line(name, sentence)}
        </p>
        {advice !== undefined && <p class="hint">{advice}</p>}
        {details !== undefined && details.length > 0 && (
          <details class="details">
            <summary>{texts.details.summary}</summary>
            <ul>
              {details.map((detail) => (
                <li key={detail} class="hint">
                  {detail}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}
