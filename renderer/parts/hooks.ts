import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { SettingProblems } from '../../contract/settings.ts'

const SECOND_MS = 1_000
const MINUTE = 60_000

const SLOW_MS = 5_000

/** The wall clock in milliseconds since the epoch. It changes at each multiple of `period` milliseconds. */
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

export function useFocusOnArrival(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => ref.current?.focus(), [ref])
}

/** `isInner`: Escape ends something within the view, and the view itself stays open. */
export function useEscape(back: (() => void) | undefined, { isInner = false } = {}): void {
  useLayoutEffect(() => {
    if (back === undefined) return
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      if (isInner) event.stopPropagation()
      back()
    }
    // The capturing phase makes an inner handler run first.
    document.addEventListener('keydown', listen, isInner)
    return () => document.removeEventListener('keydown', listen, isInner)
  }, [back, isInner])
}

export function useIsSlow(isUnderWay: boolean, milliseconds: number = SLOW_MS): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setTimeout(() => setSlow(true), milliseconds)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isUnderWay, milliseconds])
  return isSlow
}

/** The milliseconds until the call may be repeated, if the service said how long to wait. */
export function useRetryWait(error: CallError | undefined): [wait: number | undefined, mustWait: boolean] {
  const seconds = isFailure(error, 'rateLimited') ? error.retryAfter : undefined
  const asked = useRef<{ readonly error: CallError | undefined; readonly until: number }>(undefined)
  if (asked.current?.error !== error) asked.current = { error, until: Date.now() + (seconds ?? 0) * SECOND_MS }
  const now = useNow(seconds === undefined ? MINUTE : SECOND_MS)
  const wait = seconds === undefined ? undefined : Math.max(0, (asked.current?.until ?? 0) - now)
  return [wait, wait !== undefined && wait > 0]
}

/** Either an expected failure, or `unexpected` for a bug. */
export type CallError = Failure | 'unexpected'

export const isFailure = (error: CallError | undefined, code: FailureCode): error is Failure =>
  error !== undefined && error !== 'unexpected' && error.code === code

export const fieldsOf = (error: CallError): SettingProblems | undefined =>
  error === 'unexpected' ? undefined : error.fields

export type Call = ReturnType<typeof useCall>

export function useCall() {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<CallError | undefined>(undefined)
  const underWay = useRef<object | undefined>(undefined)
  /** Ignores the answer to the call. Call this when the user no longer waits for it. */
  const forget = useCallback(() => {
    underWay.current = undefined
    setPending(false)
    setError(undefined)
  }, [])
  return {
    pending,
    error,
    /** Clears the error. Call this when the input has changed. */
    clear: () => setError(undefined),
    forget,
    /** Starts the call, unless one is under way. `settled` runs after the call, even if it failed. */
    run(start: () => Promise<Outcome>, settled?: (error: CallError | undefined) => void): void {
      if (underWay.current !== undefined) return
      const mine = {}
      underWay.current = mine
      setPending(true)
      setError(undefined)
      const settle = (result: CallError | undefined) => {
        if (underWay.current !== mine) return
        underWay.current = undefined
        setPending(false)
        setError(result)
        settled?.(result)
      }
      start().then(
        (outcome) => settle(outcome.ok ? undefined : outcome.failure),
        () => settle('unexpected'),
      )
    },
  }
}
