import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { IssuerKind } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import type { Operation } from '../../text/sentence.ts'
import type { Step } from '../screen.ts'
import type { CallError } from './hooks.ts'

export type LastResult =
  | {
      readonly text: string
      /** Differs from the last result's key, so that screen readers announce the text as new even if it is the same. */
      readonly key?: number
      readonly forMs?: number
      /** The states of the session in which the text is true; absent if it is true in all. */
      readonly holdsIn?: readonly SessionView['kind'][]
    }
  | { readonly error: CallError; readonly during: Operation; readonly issuer?: IssuerKind | undefined }
  | undefined

/** A success disappears soon; an error stays. */
const SAID_FOR_MS = 10_000

/** The latest result. It is shown until the user opens a screen or signs in, or until it no longer holds. */
export function useLastResult(
  kind: SessionView['kind'],
  top: Step | undefined,
): [LastResult, (lastResult: LastResult) => void] {
  const [lastResult, setLastResult] = useState<LastResult>(undefined)
  const isOver = (top !== undefined && top.screen !== 'settings') || kind === 'signingIn'
  useEffect(() => {
    if (isOver) setLastResult(undefined)
  }, [isOver])
  useEffect(() => {
    if (lastResult === undefined || 'error' in lastResult) return
    const timer = setTimeout(() => setLastResult(undefined), lastResult.forMs ?? SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [lastResult])
  const holds =
    lastResult === undefined ||
    'error' in lastResult ||
    lastResult.holdsIn === undefined ||
    lastResult.holdsIn.includes(kind)
  const count = useRef(0)
  const tell = useCallback((next: LastResult) => {
    count.current++
    setLastResult(next === undefined || 'error' in next ? next : { ...next, key: count.current })
  }, [])
  return [holds ? lastResult : undefined, tell]
}
