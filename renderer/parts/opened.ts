import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AppView } from '../../contract/views.ts'
import { outlives, type Step } from '../screen.ts'
import { leaveBy, type Unsaved } from './unsaved.ts'

/** Names a control that opens screens, so that the focus returns to it when the user leaves them. */
export const placed = (place: string) => ({ 'data-place': place })

const focusedPlace = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset['place']

interface OpenStep extends Step {
  readonly place: string | undefined
}

export function useOpened({ session, shown, navigation }: AppView, unsaved: Unsaved) {
  const asked = navigation?.screen
  const [steps, setSteps] = useState<readonly OpenStep[]>(
    asked === undefined ? [] : [{ screen: asked, place: undefined }],
  )
  const left = useRef<string | undefined>(undefined)
  const number = navigation?.number
  const answered = useRef(number)
  const before = useRef(shown)

  // Opened screens close when another connection is shown, except the settings, where the user chooses a connection.
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    setSteps((all) =>
      all.at(-1)?.screen === 'connectionSettings'
        ? all.filter(({ screen, connection }) => screen === 'settings' || connection === shown)
        : [],
    )
  }, [shown])
  // `number` changes with each request, so that a later request for the same screen opens it again.
  useEffect(() => {
    if (asked === undefined || answered.current === number) return
    answered.current = number
    // The check closes, because the form behind it may ask about its typed text.
    setSteps((all) => all.filter(({ screen }) => screen !== 'check'))
    leaveBy(unsaved, () => setSteps([{ screen: asked, place: undefined }]))
  }, [asked, number])
  useEffect(() => setSteps((all) => (all.every((step) => outlives(session, step)) ? all : [])), [session, steps])
  useLayoutEffect(() => {
    const place = left.current
    left.current = undefined
    if (place !== undefined) document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`)?.focus()
  }, [steps])

  const top = steps.at(-1)
  return {
    /** The screen on top, once the connection that the user chose is shown; absent if the user opened none. */
    top: top?.connection === undefined || top.connection === shown ? top : steps.at(-2),
    below: steps.at(-2),
    open: useCallback((step: Step) => setSteps((all) => [...all, { ...step, place: focusedPlace() }]), []),
    back: useCallback(() => {
      setSteps((all) => {
        left.current = all.at(-1)?.place
        return all.slice(0, -1)
      })
    }, []),
  }
}
