import { useId } from 'preact/hooks'
import type { Outcome } from '../../contract/failures.ts'
import { useSurroundings } from './context.ts'
import { useCall } from './hooks.ts'

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly locked: boolean
  readonly reason: string | undefined
  readonly explanation?: string
  /** The id of another text, which describes the switch unless it has a reason or an explanation. */
  readonly describedBy?: string
  readonly set: (on: boolean) => Promise<Outcome>
}

/** A switch that takes effect immediately. It shows the actual state, not the one that the user asked for. */
export const Switch = ({ label, on, locked, reason, explanation, describedBy, set }: SwitchProps) => {
  const { texts } = useSurroundings()
  const { pending, error, run } = useCall()
  const id = useId()
  const hints = [reason, explanation].filter((hint) => hint !== undefined)
  return (
    <div>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-disabled={locked || pending}
        aria-describedby={hints.length > 0 ? id : describedBy}
        onClick={() => !locked && run(() => set(!on))}
      >
        <span>{label}</span>
        <span class="switch-track" />
      </button>
      {hints.length > 0 && (
        <div id={id}>
          {hints.map((hint) => (
            <p key={hint} class="hint">
              {hint}
            </p>
          ))}
        </div>
      )}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {texts.settings.desktop.notSet}
        </p>
      )}
    </div>
  )
}
