import { useEffect, useState } from 'preact/hooks'
import type { AppView, CheckLine } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { useCall } from '../../parts/hooks.ts'
import { Problem, Status } from '../../parts/status.tsx'

const MARKS = { failed: '✕', warning: '!', ok: '✓', skipped: '–' } as const
/** What needs attention comes first. */
const ORDER = Object.keys(MARKS)

/** Checks this computer as soon as it appears, and shows each result as it arrives. */
export const CheckComputer = ({ view: { check, savedDiagnostics } }: { readonly view: AppView }) => {
  const { api, texts } = useSurroundings()
  const words = texts.check
  const checking = useCall()
  const isRunning = checking.pending || check?.running === true
  const lines = (check?.lines ?? []).toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
  const count = (state: CheckLine['state']) => lines.filter((line) => line.state === state).length
  const run = () => {
    if (!isRunning) checking.run(api.checkComputer)
  }
  useEffect(run, [])
  return (
    <>
      {checking.error === undefined ? (
        <Status title={words.run} focuses>
          <p role="status">
            {isRunning ? words.running : lines.length > 0 && words.summary(count('failed'), count('warning'))}
          </p>
        </Status>
      ) : (
        <Problem error={checking.error} during="settings" host={undefined} role="alert" />
      )}
      <ul class="checks">
        {lines.map((line) => (
          <Line key={line.name} line={line} />
        ))}
      </ul>
      <div class="remedy">
        <button type="button" class="plain" aria-disabled={isRunning} onClick={run}>
          {isRunning ? words.running : texts.buttons.lookAgain}
        </button>
        <SaveDiagnostics folder={savedDiagnostics} />
      </div>
    </>
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

/** Saves the results and the log in a file, for the administrator. */
const SaveDiagnostics = ({ folder }: { readonly folder: string | undefined }) => {
  const { api, texts } = useSurroundings()
  const { about } = texts.settings
  const saving = useCall()
  const showing = useCall()
  const error = saving.error ?? showing.error
  const [isAnswered, setAnswered] = useState(false)
  const isSaved = isAnswered && folder !== undefined
  const save = () => {
    setAnswered(false)
    showing.clear()
    saving.run(api.saveDiagnostics, () => setAnswered(true))
  }
  return (
    <>
      <button type="button" class="plain" aria-disabled={saving.pending} onClick={save}>
        {saving.pending ? texts.buttons.saving : texts.buttons.saveDiagnostics}
      </button>
      <p class="hint" role="status">
        {isSaved ? about.saved(folder) : about.diagnosticsHint}
      </p>
      {isSaved && (
        <button type="button" class="link" onClick={() => showing.run(api.showDiagnostics)}>
          {texts.buttons.showInFolder}
        </button>
      )}
      {error !== undefined && <Problem error={error} during="settings" host={undefined} isMain={false} role="alert" />}
    </>
  )
}
