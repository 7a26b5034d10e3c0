import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'

/** Asks the user before `leave` discards typed text; returns false if there is none. */
type Guard = (leave: () => void) => boolean

export interface Unsaved {
  guard: Guard | undefined
}

export const createUnsaved = (): Unsaved => ({ guard: undefined })

const context = createContext<Unsaved>(createUnsaved())

export const UnsavedProvider = context.Provider

/** Calls `leave`: at once if nothing was typed, otherwise when the user agrees. */
export function leaveBy(unsaved: Unsaved, leave: () => void): void {
  if (unsaved.guard?.(leave) !== true) leave()
}

export const useUnsaved = (): Unsaved => useContext(context)

export function useGuard(guard: Guard): void {
  const unsaved = useUnsaved()
  const latest = useRef(guard)
  latest.current = guard
  useLayoutEffect(() => {
    unsaved.guard = (leave) => latest.current(leave)
    return () => {
      unsaved.guard = undefined
    }
  }, [unsaved])
}
