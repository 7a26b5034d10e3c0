import { useId } from 'preact/hooks'
import type { Outcome } from '../../contract/failures.ts'
import { useSurroundings } from './context.ts'
import { useCall } from './hooks.ts'

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  /** True if the user can't change the switch. */
  readonly locked: boolean
  /** Why the switch is locked, to show with it. */
  readonly reason: string | undefined
  readonly set: (on: boolean) => Promise<Outcome>
}

/** A switch that takes effect immediately. It shows the actual state, not the requested one. */
export const Switch = ({ label, on, locked, reason, set }: SwitchProps) => {
  const { texts } = useSurroundings()
  const { pending, error, run } = useCall()
  const id = useId()
  return (
    <div>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-disabled={locked || pending}
        aria-describedby={reason ? id : undefined}
        onClick={() => !locked && run(() => set(!on))}
      >
        <span>{label}</span>
        <span class="switch-track" />
      </button>
      {reason && (
        <p id={id} class="hint">
          {reason}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {texts.settings.desktop.notSet}
        </p>
      )}
    </div>
  )
}
