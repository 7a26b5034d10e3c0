import { useState } from 'preact/hooks'
import { useSurroundings } from './context.ts'

export function useCapsLock() {
  const [on, setOn] = useState(false)
  return {
    on,
    onKey: (event: KeyboardEvent) => setOn(event.getModifierState?.('CapsLock') ?? false),
    onBlur: () => setOn(false),
  }
}

export const CapsLock = ({ on }: { readonly on: boolean }) => {
  const { texts } = useSurroundings()
  return (
    <p class="caps-lock" role="status">
      {on && texts.signIn.capsLock}
    </p>
  )
}
