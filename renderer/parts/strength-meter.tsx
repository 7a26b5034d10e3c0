import type { Strength } from '../../text/strength.ts'
import { useSurroundings } from './context.ts'

const STEPS = [1, 2, 3, 4] as const

export const StrengthMeter = ({ id, strength }: { readonly id: string; readonly strength: Strength | undefined }) => {
  const { texts } = useSurroundings()
  const { advice, strength: inWords } = texts.changePassword
  const level = strength?.level ?? 0
  return (
    <div class={`strength level-${strength === undefined ? 'none' : level}`}>
      <div class="strength-bar" aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} class={strength !== undefined && step <= Math.max(1, level) ? 'filled' : undefined} />
        ))}
      </div>
      <p id={id} class="hint" role="status">
        {strength === undefined ? advice : inWords(strength)}
      </p>
    </div>
  )
}
