import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'

/** Asks the user before `leave` loses what was typed; false if there is nothing to lose. */
type Guard = (leave: () => void) => boolean

/** What guards the view that is open, if anything does. */
export interface Unsaved {
  guard: Guard | undefined
}

export const createUnsaved = (): Unsaved => ({ guard: undefined })

const context = createContext<Unsaved>(createUnsaved())

export const UnsavedProvider = context.Provider

/** Runs `leave` at once, or after the user has answered what becomes of what was typed. */
export function leaveBy(unsaved: Unsaved, leave: () => void): void {
  if (unsaved.guard?.(leave) !== true) leave()
}

export const useUnsaved = (): Unsaved => useContext(context)

/** Guards what was typed in a view as long as the view is there. */
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
