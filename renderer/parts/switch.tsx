import { useId } from 'preact/hooks'
import type { Outcome } from '../../contract/failures.ts'
import { useSurroundings } from './context.ts'
import { useCall } from './hooks.ts'

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  /** Why the switch is locked. */
  readonly locked?: string | undefined
  readonly set: (on: boolean) => Promise<Outcome>
}

/** A switch that takes effect immediately. It shows the actual state, not the requested one. */
export const Switch = ({ label, on, locked, set }: SwitchProps) => {
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
        aria-disabled={locked !== undefined || pending}
        aria-describedby={locked === undefined ? undefined : id}
        onClick={() => locked === undefined && run(() => set(!on))}
      >
        <span>{label}</span>
        <span class="switch-track" />
      </button>
      {locked !== undefined && (
        <p id={id} class="hint">
          {locked}
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
