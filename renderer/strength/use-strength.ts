import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Strength } from '../../text/strength.ts'
import type { Judge } from './judge.ts'

const PAUSE_MS = 150

/** The strength of the password in a field. The password itself is never stored. */
export function useStrength(field: RefObject<HTMLInputElement | null>, known: readonly string[]) {
  const [strength, setStrength] = useState<Strength | undefined>(undefined)
  const judge = useRef<Judge | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const first = useRef(known)

  const look = useCallback(() => {
    const input = field.current
    if (input === null || judge.current === undefined) return
    setStrength(input.value.length === 0 ? undefined : judge.current(input.value))
  }, [field])

  const changed = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(look, PAUSE_MS)
  }, [look])

  useEffect(() => {
    let left = false
    const load = async () => {
      const { createJudge } = await import('./judge.ts')
      if (left) return
      judge.current = createJudge(first.current)
      look()
    }
    // If the code can't be loaded, the form works without showing a strength.
    load().catch(() => {})
    return () => {
      left = true
      clearTimeout(timer.current)
      judge.current = undefined
    }
  }, [look])

  return { strength, changed }
}
