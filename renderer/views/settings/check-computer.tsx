import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { AppView, CheckLine } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { useCall } from '../../parts/hooks.ts'
import { Problem, Status } from '../../parts/status.tsx'

const MARKS = { failed: '✕', warning: '!', ok: '✓', skipped: '–' } as const
const ORDER = Object.keys(MARKS)

interface CheckComputerProps {
  readonly view: AppView
  readonly isFromForm: boolean
}

export const CheckComputer = ({ view: { check, savedDiagnostics }, isFromForm }: CheckComputerProps) => {
  const { api, texts } = useSurroundings()
  const words = texts.check
  const checking = useCall()
  const [hasStarted, setStarted] = useState(false)
  const isUnderWay = checking.pending || check?.running === true
  // Results of an earlier run of the checks aren't shown.
  const isRunning = isUnderWay || !hasStarted
  const lines = (check?.lines ?? [])
    .map((line, at) => ({ ...line, at }))
    .toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
  const count = (state: CheckLine['state']) => lines.filter((line) => line.state === state).length
  const progress =
    check?.running === true && check.total > 0
      ? words.progress(check.lines.length, check.total, count('failed'))
      : words.running
  const heard = useHeard(isRunning, progress)
  const failures = lines
    .filter(({ state }) => state === 'failed')
    .map(({ name, sentence }) => words.line(name, sentence))
    .join(' ')
  const run = () => {
    setStarted(true)
    if (!isUnderWay) checking.run(() => api.checkComputer({ tried: isFromForm }))
  }
  useEffect(run, [])
  return (
    <>
      {checking.error === undefined ? (
        <Status title={words.run} focuses>
          {isRunning && (
            <p class="figures" aria-hidden="true">
              {progress}
            </p>
          )}
          <p class={isRunning ? 'unseen' : undefined} role="status">
            {isRunning ? heard : lines.length > 0 && words.summary(count('failed'), count('warning'))}
            {!isRunning && failures !== '' && <span class="unseen"> {failures}</span>}
          </p>
        </Status>
      ) : (
        <Problem error={checking.error} during="settings" host={undefined} role="alert" />
      )}
      <ul class="checks">
        {lines.map((line) => (
          <Line key={line.at} line={line} />
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

const HEARD_EVERY_MS = 10_000

/** The progress of the checks, for screen readers. It changes only every few seconds, so that they can read it out. */
function useHeard(isRunning: boolean, progress: string): string {
  const { texts } = useSurroundings()
  const [heard, hear] = useState('')
  const latest = useRef(progress)
  latest.current = progress
  useEffect(() => {
    if (!isRunning) return
    hear(texts.check.running)
    const timer = setInterval(() => hear(latest.current), HEARD_EVERY_MS)
    return () => clearInterval(timer)
  }, [isRunning, texts])
  return heard
}

const Line = ({ line: { name, state, sentence, advice, details } }: { readonly line: CheckLine }) => {
  const { texts } = useSurroundings()
  const id = useId()
  return (
    <li class={state}>
      <span class="mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      <div>
        <p id={id}>
          <b>{texts.check.states[state]}</b> {texts.check.line(name, sentence)}
        </p>
        {advice !== undefined && <p class="hint">{advice}</p>}
        {details !== undefined && details.length > 0 && (
          <details class="details">
            <summary aria-describedby={id}>{texts.details.summary}</summary>
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
