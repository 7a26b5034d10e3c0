import { useCallback, useEffect, useState } from 'preact/hooks'
import type { SessionView } from '../../contract/views.ts'
import type { Opened } from '../screen.ts'
import type { CallError } from './hooks.ts'

/** The result of a form that has closed, shown in the view that the user returned to. */
export type News =
  | { readonly about: 'settings' }
  /** A password change. It succeeded if there is no error. */
  | { readonly about: 'password'; readonly error?: CallError | undefined }
  | undefined

/** A success disappears soon; an error stays. */
const SAID_FOR_MS = 10_000

/**
 * The latest result, until the user opens a view or signs in. The result of a password change also disappears when the
 * session ends.
 */
export function useNews(kind: SessionView['kind'], opened: Opened): [News, (news: News) => void] {
  const [news, setNews] = useState<News>(undefined)
  const isSignedIn = kind === 'active' || kind === 'unreachable' || kind === 'ending'
  const isOver = opened !== undefined || kind === 'signingIn'
  useEffect(() => {
    if (isOver) setNews(undefined)
  }, [isOver])
  useEffect(() => {
    if (news === undefined || ('error' in news && news.error !== undefined)) return
    const timer = setTimeout(() => setNews(undefined), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [news])
  useEffect(() => {
    if (!isSignedIn) setNews((before) => (before?.about === 'password' ? undefined : before))
  }, [isSignedIn])
  return [news, useCallback((next) => setNews(next), [])]
}
