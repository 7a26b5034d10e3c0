import { useCallback, useRef } from 'preact/hooks'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useEscape } from '../parts/hooks.ts'

/** Escape cancels the sign-in, too. The result of a pending answer is then ignored. */
export function useCancel({ forget }: Call, onCancelled: () => void, isPossible = true) {
  const { api } = useSurroundings()
  const isCancelled = useRef(false)
  const cancel = useCallback(() => {
    isCancelled.current = true
    forget()
    api.cancelSignIn().catch(() => {})
    onCancelled()
  }, [api, forget])
  useEscape(isPossible ? cancel : undefined, { isInner: true })
  return { cancel, isCancelled }
}
