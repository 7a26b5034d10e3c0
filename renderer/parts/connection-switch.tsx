import type { AppView, SessionView } from '../../contract/views.ts'
import { stateLine } from '../../text/state.ts'
import { useSurroundings } from './context.ts'
import { leaveBy, useUnsaved } from './unsaved.ts'

/** Told apart without colour. */
const MARKS: Readonly<Record<SessionView['kind'], string>> = {
  active: '●',
  unreachable: '◐',
  ending: '!',
  expired: '!',
  keychainLocked: '!',
  signingIn: '…',
  restoring: '…',
  signedOut: '○',
  notConfigured: '○',
}

/** All connections with their state, where there are several; one of them is shown. */
export const ConnectionSwitch = ({ connections, shown }: Pick<AppView, 'connections' | 'shown'>) => {
  const { api, texts } = useSurroundings()
  const unsaved = useUnsaved()
  if (connections.length < 2) return null
  return (
    <nav class="connections" aria-label={texts.connections.label}>
      {connections.map(({ name, connection, session }) => {
        const state = stateLine(texts, { session, ...(connection && { connection }) })
        return (
          <button
            key={name}
            type="button"
            class={session.kind}
            aria-current={name === shown}
            aria-label={`${connection?.host ?? name}: ${state}`}
            title={state}
            // Where it is gone by now, the next view says so.
            onClick={() => name !== shown && leaveBy(unsaved, () => void api.showConnection({ name }).catch(() => {}))}
          >
            <span aria-hidden="true">{MARKS[session.kind]}</span> {connection?.host ?? name}
          </button>
        )
      })}
    </nav>
  )
}
