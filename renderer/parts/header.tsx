import type { ComponentChildren } from 'preact'
import type { AppView, ConnectionSessionView, SessionView } from '../../contract/views.ts'
import { stateLine } from '../../text/state.ts'
import { connectionNameOf, nameOrHost } from './connection-name.ts'
import { useSurroundings } from './context.ts'
import { BrandKey, Chevron, Gear } from './icons.tsx'
import { Menu } from './menu.tsx'
import { placed } from './opened.ts'

/** Each state has its own shape, so that users can tell them apart without colour. */
const SHAPES: Readonly<Record<SessionView['kind'], string>> = {
  active: 'full',
  unreachable: 'ring',
  ending: 'diamond',
  expired: 'diamond',
  sessionUnread: 'diamond',
  unknownVersion: 'diamond',
  signingIn: 'hollow',
  restoring: 'hollow',
  signedOut: 'hollow',
  notConfigured: 'hollow',
}

export const Dot = ({ kind }: { readonly kind: SessionView['kind'] }) => (
  <i class={`dot ${SHAPES[kind]}`} aria-hidden="true" />
)

interface HeaderProps {
  readonly view: AppView
  readonly onBack: (() => void) | undefined
  readonly person: ComponentChildren
  readonly lastResult: ComponentChildren
}

export const Header = ({ view, onBack, person, lastResult }: HeaderProps) => {
  const { texts, open } = useSurroundings()
  const isNamed = person !== undefined || view.connections.length > 1
  return (
    <header>
      {onBack !== undefined ? (
        <button key="back" type="button" class="link back" onClick={onBack}>
          {texts.buttons.back}
        </button>
      ) : isNamed ? (
        <Service {...view} />
      ) : (
        <span class="product">
          <BrandKey />
          <b>{texts.app}</b>
        </span>
      )}
      {onBack === undefined &&
        (person ?? (
          <button
            key="settings"
            type="button"
            class="icon"
            {...placed('settings')}
            title={texts.buttons.settings}
            onClick={() => open({ screen: 'settings' })}
          >
            <Gear />
          </button>
        ))}
      <p class="last-result" role="status">
        {lastResult}
      </p>
    </header>
  )
}

const ATTENTION: readonly SessionView['kind'][] = ['unreachable', 'ending', 'expired', 'sessionUnread']

const Service = ({ connections, shown, mayAddConnections }: AppView) => {
  const { api, texts, open } = useSurroundings()
  const words = texts.connections
  const current = connections.find(({ name }) => name === shown)
  if (current === undefined) return null
  const where = nameOrHost(current)
  const waiting = connections.filter((each) => each !== current && ATTENTION.includes(each.session.kind)).length
  const face = (
    <>
      <Dot kind={current.session.kind} />
      <b title={where}>{where}</b>
    </>
  )
  if (connections.length === 1 && !mayAddConnections) return <span class="product">{face}</span>
  const heard = [where, stateLine(texts, { session: current.session })]
  if (waiting > 0) heard.push(words.attention(waiting))
  const items = connections.map((each) => ({
    label: <ConnectionLine {...each} />,
    isChosen: each === current,
    // The call fails only if the connection is gone, and the next view shows that.
    act: () => each !== current && void api.showConnection({ name: each.name }).catch(() => {}),
  }))
  const add = { label: words.addOne, act: () => open({ screen: 'addConnection' }) }
  return (
    <Menu place="service" label={heard.join(', ')} groups={[items, mayAddConnections ? [add] : []]}>
      {face}
      {waiting > 0 && <i class="dot diamond" aria-hidden="true" title={words.attention(waiting)} />}
      <Chevron />
    </Menu>
  )
}

export const ConnectionLine = (each: ConnectionSessionView) => {
  const { texts } = useSurroundings()
  const { name, host } = connectionNameOf(each)
  return (
    <>
      <Dot kind={each.session.kind} />
      <span>
        <b>{name ?? host}</b>
        {name !== undefined && host !== undefined && host !== name && <small>{host}</small>}
        <small>{stateLine(texts, { session: each.session })}</small>
      </span>
    </>
  )
}
