import { useEffect, useRef, useState } from 'preact/hooks'
import type { AppView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { announcement } from '../../text/state.ts'
import { nameOrHost } from './connection-name.ts'

/** A state that changes again at once isn't announced: the second sentence would cut the first one off. */
const SETTLES_MS = 150

interface AnnouncerProps {
  readonly texts: Texts
  readonly view: AppView | undefined
}

/** The live region in which screen readers announce the state of the shown connection. */
export const Announcer = ({ texts, view }: AnnouncerProps) => {
  const [said, say] = useState('')
  const before = useRef('')
  const wasSigningIn = useRef(false)
  const text = view === undefined ? '' : sentenceOf(texts, view)
  const token = view !== undefined && 'token' in view.session ? view.session.token?.receivedAt : undefined
  const state = `${text} ${token}`
  const isSigningIn = view?.session.kind === 'signingIn'
  useEffect(() => {
    const timer = setTimeout(() => {
      // After a failed sign-in, the form says why. What was known before needs no announcement.
      say(wasSigningIn.current && state === before.current ? '' : text)
      wasSigningIn.current = isSigningIn
      if (!isSigningIn) before.current = state
    }, SETTLES_MS)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  )
}

function sentenceOf(texts: Texts, view: AppView): string {
  const line = announcement(texts, view)
  const current = view.connections.find(({ name }) => name === view.shown)
  return current === undefined || view.connections.length < 2 ? line : texts.check.line(nameOrHost(current), line)
}
