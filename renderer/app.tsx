import type { ReadonlySignal } from '@preact/signals'
import { useCallback, useRef, useState } from 'preact/hooks'
import type { LatchkeyApi } from '../contract/calls.ts'
import { recentUses } from '../contract/recent-uses.ts'
import { mayCopyToken, missingValues } from '../contract/settings.ts'
import type { AppView } from '../contract/views.ts'
import type { Texts } from '../text/index.ts'
import { Announcer } from './parts/announcer.tsx'
import { connectionNameOf, inOneLine, nameOrHost } from './parts/connection-name.ts'
import { SurroundingsProvider, useSurroundings } from './parts/context.ts'
import { Header } from './parts/header.tsx'
import { useEscape } from './parts/hooks.ts'
import { useLastResult } from './parts/last-result.ts'
import { Notices } from './parts/notices.tsx'
import { useOpened } from './parts/opened.ts'
import { Problem } from './parts/status.tsx'
import { createUnsaved, leaveBy, UnsavedProvider, useUnsaved } from './parts/unsaved.ts'
import { type Screen, type Step, screenOf } from './screen.ts'
import { ChangePassword } from './views/change-password.tsx'
import { Connection } from './views/connection.tsx'
import { PersonMenu } from './views/person-menu.tsx'
import { Session } from './views/session.tsx'
import { About } from './views/settings/about.tsx'
import { AddConnection } from './views/settings/add-connection.tsx'
import { CheckComputer } from './views/settings/check-computer.tsx'
import { ConnectionSettings } from './views/settings/connection-settings.tsx'
import { Settings } from './views/settings/settings.tsx'
import { SignIn, type Typed } from './views/sign-in.tsx'
import { SigningOut } from './views/signing-out.tsx'
import { Tools } from './views/tools/tools.tsx'
import { UnreadableSession } from './views/unreadable-session.tsx'
import { UpdateReady } from './views/update-ready.tsx'
import { useSessionActions } from './views/use-session-actions.ts'
import { Waiting } from './views/waiting.tsx'

interface AppProps {
  readonly api: LatchkeyApi
  readonly texts: Texts
  readonly view: ReadonlySignal<AppView | undefined>
}

export const App = ({ api, texts, view }: AppProps) => {
  const current = view.value
  return (
    <>
      <Announcer texts={texts} view={current} />
      {current !== undefined && <Opened api={api} texts={texts} view={current} />}
    </>
  )
}

const FORMS: readonly (Screen | undefined)[] = ['connection', 'connectionSettings', 'addConnection']

interface ContentsProps {
  readonly texts: Texts
  readonly view: AppView
  readonly top: Step | undefined
  readonly below: Step | undefined
  readonly onBack: () => void
}

const Opened = ({ api, texts, view }: Pick<AppProps, 'api' | 'texts'> & { readonly view: AppView }) => {
  const [unsaved] = useState(createUnsaved)
  const { top, below, open, back } = useOpened(view, unsaved)
  return (
    <SurroundingsProvider value={{ api, texts, open, isCheck: top?.screen === 'check' }}>
      <UnsavedProvider value={unsaved}>
        <Contents texts={texts} view={view} top={top} below={below} onBack={back} />
      </UnsavedProvider>
    </SurroundingsProvider>
  )
}

const Contents = ({ texts, view, top, below, onBack }: ContentsProps) => {
  const { session, connection, connections, shown, notices } = view
  const { open, isCheck } = useSurroundings()
  const unsaved = useUnsaved()
  const agent = { ...view.agent, ...view.switches.agent }
  const [lastResult, tell] = useLastResult(session.kind, top)
  const actions = useSessionActions(session.kind, tell)
  const [rules, setRules] = useState<Readonly<Record<string, string>>>({})
  const typed = useRef<Typed>(undefined)
  const latest = useRef(shown)
  latest.current = shown
  const screen = screenOf(session.kind, top)
  const asksSignOut = top?.screen === 'signOut'
  const onClick = useFirstClick(
    session.kind === 'signingIn' && session.challenge !== undefined ? session.challenge.id : screen,
  )
  // The check of this computer hides the form without removing it, so that typed values except secrets aren't lost.
  const behind = isCheck ? screenOf(session.kind, below) : undefined
  const isForm = (form: Screen) => screen === form || behind === form
  // A sign-in form stays behind the check until a sign-in starts: after that, it would react to Escape.
  const showsSignIn = useRef(false)
  showsSignIn.current =
    screen === 'signIn' || (showsSignIn.current && behind === 'signIn' && session.kind !== 'signingIn')
  const leave = useCallback(() => (isCheck ? onBack() : leaveBy(unsaved, onBack)), [unsaved, onBack, isCheck])
  const isOpened = top !== undefined && !asksSignOut
  useEscape(isOpened ? leave : undefined)

  const current = connections.find(({ name }) => name === shown)
  const signedIn = 'kept' in session ? session : undefined
  const signOut = () => {
    if (recentUses(agent.uses, Date.now()).length > 0) open({ screen: 'signOut' })
    else actions.signOut()
  }
  const person = signedIn && (
    <PersonMenu
      session={signedIn}
      where={current && nameOrHost(current)}
      host={connection?.host}
      actions={actions}
      mayCopy={mayCopyToken(agent)}
      onSignOut={signOut}
    />
  )
  const issuer = signedIn?.account.grant.issuer
  return (
    <>
      <Header
        view={view}
        onBack={isOpened ? leave : undefined}
        person={person}
        lastResult={
          lastResult !== undefined && 'text' in lastResult ? <span key={lastResult.key}>{lastResult.text}</span> : null
        }
      />
      {/* Another connection gets another `key`: Preact then creates new elements, which discards the typed values. */}
      <main key={shown} onClickCapture={onClick}>
        {lastResult !== undefined && 'error' in lastResult && (
          <Problem issuer={issuer} {...lastResult} host={connection?.host} isMain={false} role="alert" />
        )}
        {asksSignOut && <SigningOut uses={agent.uses} onStay={onBack} onSignOut={actions.signOut} />}
        {isForm('connection') && (
          <div class="form" hidden={isCheck}>
            <Connection />
          </div>
        )}
        {screen === 'waiting' && session.kind === 'restoring' && <Waiting session={session} host={connection?.host} />}
        {(screen === 'sessionUnread' || screen === 'unknownVersion') &&
          (session.kind === 'sessionUnread' || session.kind === 'unknownVersion') && (
            <UnreadableSession session={session} />
          )}
        {showsSignIn.current && (
          <div class="form" hidden={isCheck}>
            <SignIn
              name={shown}
              connection={connection}
              where={current && inOneLine(connectionNameOf(current))}
              session={session}
              needs={view.needs}
              last={view.lastSignIn}
              missing={missingValues(view.settings)}
              typed={typed}
              onLate={(late) => shown === latest.current && tell(late)}
              offersStart={view.offersStartAtLogin}
            />
          </div>
        )}
        {screen === 'session' && signedIn !== undefined && (
          <Session connection={connection} session={signedIn} agent={agent} gateway={view.gateway} actions={actions} />
        )}
        {screen === 'tools' && connection !== undefined && (
          <Tools
            view={view}
            address={connection.baseAddress}
            agent={agent}
            first={top?.tool}
            say={(text) => tell(text === undefined ? undefined : { text })}
          />
        )}
        {screen === 'changePassword' && signedIn !== undefined && (
          <ChangePassword
            account={signedIn.account}
            host={connection?.host}
            rule={rules[shown]}
            onRule={(rule) => setRules((before) => ({ ...before, [shown]: rule }))}
            onChanged={() => {
              onBack()
              tell({ text: texts.changePassword.changed })
            }}
            onLate={(error) =>
              tell(error === undefined ? { text: texts.changePassword.changed } : { error, during: 'changePassword' })
            }
          />
        )}
        {screen === 'settings' && <Settings view={view} />}
        {isForm('connectionSettings') && current !== undefined && (
          <div class="form" hidden={isCheck}>
            <ConnectionSettings
              view={view}
              current={current}
              onSaved={() => {
                onBack()
                tell({ text: texts.settings.saved })
              }}
              onRemoved={() => tell({ text: texts.connections.removed(current.name) })}
            />
          </div>
        )}
        {isForm('addConnection') && (
          <div class="form" hidden={isCheck}>
            <AddConnection />
          </div>
        )}
        {isCheck && <CheckComputer view={view} isFromForm={FORMS.includes(behind)} />}
        {screen === 'about' && <About version={view.version} />}
        {/* Notices come last, so that they move nothing when they appear. */}
        {view.update !== undefined && <UpdateReady {...view.update} isBusy={session.kind === 'signingIn'} />}
        {notices.length > 0 && <Notices notices={notices} />}
      </main>
    </>
  )
}

/** SECURITY: ignores the second click of a double click if the first one changed what the window shows (`face`). */
function useFirstClick(face: string): (event: MouseEvent) => void {
  const clicked = useRef(face)
  return (event) => {
    if (event.detail > 1 && clicked.current !== face) {
      event.preventDefault()
      event.stopPropagation()
    } else clicked.current = face
  }
}
