import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'
import type { Opened } from '../screen.ts'

/** Marks the control that opens a view. It gets the focus back when the user leaves the view. */
export const opens = (view: Exclude<Opened, undefined>) => ({ 'data-opens': view })

/**
 * Returns the focus to the control that opened a view, if it still exists. Call the returned function when the user
 * leaves the view, but not when the view closes automatically.
 */
export function useReturnFocus(opened: Opened): () => void {
  const left = useRef<Opened>(undefined)
  useLayoutEffect(() => {
    const view = left.current === 'about' ? 'settings' : left.current
    left.current = undefined
    if (opened !== undefined || view === undefined) return
    document.querySelector<HTMLElement>(`[data-opens="${view}"]`)?.focus()
  }, [opened])
  return useCallback(() => {
    left.current = opened
  }, [opened])
}
