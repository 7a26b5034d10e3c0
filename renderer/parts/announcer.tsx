import { useEffect, useRef, useState } from 'preact/hooks'
import type { AppView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { announcement } from '../../text/state.ts'
import { nameOrHost } from './connection-name.ts'

/** A state that changes again at once isn't announced, because the second sentence would cut the first one off. */
const SETTLES_MS = 150

interface AnnouncerProps {
  readonly texts: Texts
  readonly view: AppView | undefined
}

/** The live region in which screen readers announce the state of the shown connection. */
export const Announcer = ({ texts, view }: AnnouncerProps) => {
  const [said, say] = useState('')
  const before = useRef('')
  const last = useRef({ line: '', need: '' })
  const wasSigningIn = useRef(false)
  const [line, need] = view === undefined ? ['', ''] : sentencesOf(texts, view)
  const text = need === '' ? line : `${line} ${need}`
  const token = view !== undefined && 'token' in view.session ? view.session.token?.receivedAt : undefined
  const state = `${text} ${token}`
  const isSigningIn = view?.session.kind === 'signingIn'
  useEffect(() => {
    const timer = setTimeout(() => {
      // After a failed sign-in, the form says why, so a state that was known before isn't announced again.
      const isKnown = wasSigningIn.current && state === before.current
      const isOnlyNeed = line === last.current.line && need !== last.current.need
      say(isKnown ? '' : isOnlyNeed ? need : text)
      last.current = { line, need }
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

function sentencesOf(texts: Texts, view: AppView): readonly [line: string, need: string] {
  const [line, need] = announcement(texts, view)
  const current = view.connections.find(({ name }) => name === view.shown)
  if (current === undefined || view.connections.length < 2) return [line, need]
  const name = nameOrHost(current)
  const isSaid = name === current.connection?.host && line.includes(name)
  return [isSaid ? line : texts.check.line(name, line), need]
}
