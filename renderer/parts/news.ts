import { useCallback, useEffect, useState } from 'preact/hooks'
import type { SessionView } from '../../contract/views.ts'
import type { Opened } from '../screen.ts'
import type { Trouble } from './hooks.ts'

/** What became of a form that is gone: said where the user has come back to. */
export type News =
  | { readonly about: 'settings' }
  /** A password change; without trouble it was done. */
  | { readonly about: 'password'; readonly trouble?: Trouble | undefined }
  | undefined

/** What was done is soon known; what went wrong stays. */
const SAID_FOR_MS = 10_000

/** The newest news, until it is history: something else is opened, or the session that it was of is gone. */
export function useNews(kind: SessionView['kind'], opened: Opened): [News, (news: News) => void] {
  const [news, setNews] = useState<News>(undefined)
  const isSignedIn = kind === 'active' || kind === 'unreachable' || kind === 'ending'
  const isOver = opened !== undefined || kind === 'signingIn'
  useEffect(() => {
    if (isOver) setNews(undefined)
  }, [isOver])
  useEffect(() => {
    if (news === undefined || ('trouble' in news && news.trouble !== undefined)) return
    const timer = setTimeout(() => setNews(undefined), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [news])
  useEffect(() => {
    if (!isSignedIn) setNews((before) => (before?.about === 'password' ? undefined : before))
  }, [isSignedIn])
  return [news, useCallback((next) => setNews(next), [])]
}
