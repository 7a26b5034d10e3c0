import { useRef } from 'preact/hooks'
import type { AppView, ConnectionSessionView, SessionView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { stateLine } from '../../text/state.ts'
import { connectionNameOf, inOneLine } from './connection-name.ts'
import { useSurroundings } from './context.ts'
import { leaveBy, useUnsaved } from './unsaved.ts'

/** The states have different shapes, so that users can distinguish them without colour. */
const MARKS: Readonly<Record<SessionView['kind'], string>> = {
  active: '●',
  unreachable: '◐',
  ending: '!',
  expired: '!',
  sessionUnread: '!',
  unknownVersion: '!',
  signingIn: '…',
  restoring: '…',
  signedOut: '○',
  notConfigured: '○',
}

/** The largest number of connections that are shown in a row. More are shown in a menu. */
const MOST_IN_A_ROW = 3

const ATTENTION: readonly SessionView['kind'][] = ['unreachable', 'ending', 'expired', 'sessionUnread']

/** The tooltip is the state without the host. The accessible name is the connection's name and host, then the state. */
function labelsOf(each: ConnectionSessionView, texts: Texts) {
  const state = stateLine(texts, { session: each.session })
  return { title: state, 'aria-label': `${inOneLine(connectionNameOf(each))}: ${state}` }
}

const Marked = (each: ConnectionSessionView) => {
  const { name, host } = connectionNameOf(each)
  return (
    <>
      <span aria-hidden="true">{MARKS[each.session.kind]}</span> {name !== undefined && <b>{name}</b>}{' '}
      {host !== name && host}
    </>
  )
}

type SwitchProps = Pick<AppView, 'connections' | 'shown'>

/** Shows all connections with their states, if there are several. The shown one is marked. */
export const ConnectionSwitch = (props: SwitchProps) => {
  const { texts } = useSurroundings()
  const { length } = props.connections
  if (length < 2) return null
  return (
    <nav class="connections" aria-label={texts.connections.label}>
      {length > MOST_IN_A_ROW ? <Menu {...props} /> : <Buttons {...props} />}
    </nav>
  )
}

const Buttons = ({ connections, shown, onChosen }: SwitchProps & { readonly onChosen?: () => void }) => {
  const { api, texts } = useSurroundings()
  const unsaved = useUnsaved()
  const choose = (name: string) => {
    onChosen?.()
    // The call can only fail if the connection no longer exists, and then the next view shows that.
    if (name !== shown) leaveBy(unsaved, () => void api.showConnection({ name }).catch(() => {}))
  }
  return connections.map((each) => {
    const { name, session } = each
    return (
      <button
        key={name}
        type="button"
        class={session.kind}
        aria-current={name === shown}
        {...labelsOf(each, texts)}
        onClick={() => choose(name)}
      >
        <Marked {...each} />
      </button>
    )
  })
}

/** Collapsed, it shows the selected connection and how many others need attention. */
const Menu = (props: SwitchProps) => {
  const { texts } = useSurroundings()
  const { connections, shown } = props
  const fold = useRef<HTMLDetailsElement>(null)
  const current = connections.find(({ name }) => name === shown) ?? connections[0]
  const waiting = connections.filter(({ name, session }) => name !== shown && ATTENTION.includes(session.kind)).length
  const attention = waiting === 0 ? undefined : texts.connections.attention(waiting)
  const close = () => {
    if (fold.current !== null) fold.current.open = false
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || fold.current?.open !== true) return
    event.stopPropagation()
    close()
    fold.current.querySelector('summary')?.focus()
  }
  if (current === undefined) return null
  const state = stateLine(texts, { session: current.session })
  const heard = [inOneLine(connectionNameOf(current)), attention].filter((part) => part !== undefined).join(', ')
  return (
    <details ref={fold} onKeyDown={onKey}>
      <summary class={current.session.kind} title={state} aria-label={`${heard}. ${state}`}>
        <Marked {...current} /> {attention !== undefined && <small>{attention}</small>}
      </summary>
      <div class="connection-menu">
        <Buttons {...props} onChosen={close} />
      </div>
    </details>
  )
}
