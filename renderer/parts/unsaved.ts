import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'

/** Asks the user before `leave` discards typed text; returns false if there is no typed text. */
type Guard = (leave: () => void) => boolean

/** The guard of the open view, if it has one. */
export interface Unsaved {
  guard: Guard | undefined
}

export const createUnsaved = (): Unsaved => ({ guard: undefined })

const context = createContext<Unsaved>(createUnsaved())

export const UnsavedProvider = context.Provider

/** Runs `leave` immediately, or after the user has decided about the typed text. */
export function leaveBy(unsaved: Unsaved, leave: () => void): void {
  if (unsaved.guard?.(leave) !== true) leave()
}

export const useUnsaved = (): Unsaved => useContext(context)

/** Guards a view's typed text while the view is shown. */
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
