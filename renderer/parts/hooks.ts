import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { SettingProblems } from '../../contract/settings.ts'

const MINUTE = 60_000

/** The wall clock in milliseconds since the epoch, read anew every `period` milliseconds, on its multiples. */
export function useNow(period: number = MINUTE): number {
  const [, setTicks] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          setTicks((ticks) => ticks + 1)
          arm()
        },
        period - (Date.now() % period),
      )
    }
    arm()
    return () => clearTimeout(timer)
  }, [period])
  return Date.now()
}

/** Moves the focus to where the hands go next, once, when a view appears. */
export function useFocusOnArrival(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => ref.current?.focus(), [ref])
}

/** Escape goes back, wherever the focus is, from the moment that the view is there. */
export function useEscape(back: (() => void) | undefined): void {
  useLayoutEffect(() => {
    if (back === undefined) return
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) back()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [back])
}

/** What went wrong with a call: a failure of the closed union, or a bug. */
export type Trouble = Failure | 'unexpected'

export const isFailure = (trouble: Trouble | undefined, code: FailureCode): trouble is Failure =>
  trouble !== undefined && trouble !== 'unexpected' && trouble.code === code

/** What is wrong with which setting, where that is what went wrong. */
export const fieldsOf = (trouble: Trouble): SettingProblems | undefined =>
  trouble === 'unexpected' ? undefined : trouble.fields

export interface Call {
  readonly pending: boolean
  readonly trouble: Trouble | undefined
  /** Starts the call, unless one is under way. `settled` runs after it, whatever came of it. */
  readonly run: (start: () => Promise<Outcome>, settled?: (trouble: Trouble | undefined) => void) => void
  /** Something else is wrong by now. */
  readonly clear: () => void
}

/** One call at a time, and what became of the last one. */
export function useCall(): Call {
  const [pending, setPending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined)
  const underWay = useRef(false)
  return {
    pending,
    trouble,
    clear: () => setTrouble(undefined),
    run(start, settled) {
      if (underWay.current) return
      underWay.current = true
      setPending(true)
      setTrouble(undefined)
      const settle = (result: Trouble | undefined) => {
        underWay.current = false
        setPending(false)
        setTrouble(result)
        settled?.(result)
      }
      start().then(
        (outcome) => settle(outcome.ok ? undefined : outcome.failure),
        () => settle('unexpected'),
      )
    },
  }
}
