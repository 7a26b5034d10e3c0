import type { ReadonlySignal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { LatchkeyApi } from '../contract/calls.ts'
import type { AppView } from '../contract/views.ts'
import type { Texts } from '../text/index.ts'
import { stateLine } from '../text/state.ts'
import { ConnectionSwitch } from './parts/connection-switch.tsx'
import { SurroundingsProvider } from './parts/context.ts'
import { useEscape } from './parts/hooks.ts'
import { useNews } from './parts/news.ts'
import { ErrorNotice, Notice } from './parts/notice.tsx'
import { useReturnFocus } from './parts/return-focus.ts'
import { TopBar } from './parts/top-bar.tsx'
import { createUnsaved, leaveBy, type Unsaved, UnsavedProvider } from './parts/unsaved.ts'
import { type Opened, screenOf, stillOpened } from './screen.ts'
import { ChangePassword } from './views/change-password.tsx'
import { Connection } from './views/connection.tsx'
import { Session } from './views/session.tsx'
import { Settings } from './views/settings/settings.tsx'
import { SignIn } from './views/sign-in.tsx'
import { Tools } from './views/tools/tools.tsx'
import { UnreadableSession } from './views/unreadable-session.tsx'
import { UpdateReady } from './views/update-ready.tsx'
import { Waiting } from './views/waiting.tsx'

interface AppProps {
  readonly api: LatchkeyApi
  readonly texts: Texts
  /** Undefined until the first view has arrived. */
  readonly view: ReadonlySignal<AppView | undefined>
}

/** The window, as a function of the main process's view and the screen that the user opened. */
export const App = ({ api, texts, view }: AppProps) => {
  const current = view.value
  return (
    <SurroundingsProvider value={{ api, texts }}>
      <p class="unseen" role="status">
        {current === undefined ? '' : stateLine(texts, current)}
      </p>
      {current !== undefined && <Contents texts={texts} view={current} />}
    </SurroundingsProvider>
  )
}

/** The screen that the user opened, and a function to open another. */
function useOpened(
  { session: { kind }, connections, shown, navigation }: AppView,
  unsaved: Unsaved,
): [Opened, (opened: Opened) => void] {
  const asked = navigation?.screen
  const [opened, setOpened] = useState<Opened>(stillOpened(kind, asked))
  const number = navigation?.number
  const before = useRef(shown)
  // An open screen belongs to one connection, so it closes when another connection is shown. But if the user removed
  // the shown connection in the settings, the settings stay open.
  useEffect(() => {
    if (before.current === shown) return
    const isRemoved = connections.every(({ name }) => name !== before.current)
    before.current = shown
    setOpened((opened) => (isRemoved && opened === 'settings' ? opened : undefined))
  }, [shown])
  // `number` changes with each request, so that a later request for the same screen opens it again.
  useEffect(() => {
    if (asked === undefined || asked === opened) return
    const open = () => setOpened(asked)
    // About opens without asking whether to save, because the values typed in the settings are kept.
    if (asked === 'about') open()
    else leaveBy(unsaved, open)
  }, [asked, number])
  useEffect(() => setOpened((before) => stillOpened(kind, before)), [kind, opened])
  return [opened, useCallback((next) => setOpened(next), [])]
}

const Contents = ({ texts, view }: { readonly texts: Texts; readonly view: AppView }) => {
  const { session, connection, shown, notices } = view
  const agent = { ...view.agent, ...view.switches.agent }
  const [unsaved] = useState(createUnsaved)
  const [opened, setOpened] = useOpened(view, unsaved)
  const [news, tell] = useNews(session.kind, opened)

  const screen = screenOf(session.kind, opened)
  const [rules, setRules] = useState<Readonly<Record<string, string>>>({})
  const returnFocus = useReturnFocus(opened)
  const close = useCallback(() => {
    returnFocus()
    setOpened(undefined)
  }, [returnFocus, setOpened])
  const toSettings = useCallback(() => setOpened('settings'), [setOpened])
  const toSignIn = useCallback(() => setOpened('signIn'), [setOpened])
  const toAbout = useCallback(() => setOpened('about'), [setOpened])
  const closeSafely = useCallback(() => leaveBy(unsaved, close), [unsaved, close])
  const leave = screen === 'about' ? toSettings : closeSafely
  const back = screenOf(session.kind, undefined) === screen ? undefined : leave
  useEscape(back)
  const only = view.connections.length === 1 ? view.connections[0] : undefined
  const isUnreadable = screen === 'sessionUnread' || screen === 'unknownVersion'
  const tellsWhere = screen === 'signIn' || screen === 'changePassword' || isUnreadable

  return (
    <UnsavedProvider value={unsaved}>
      <TopBar connection={tellsWhere ? only : undefined} onSettings={toSettings} onBack={back} />
      <ConnectionSwitch connections={view.connections} shown={shown} />
      {/* For another connection, the new `key` makes Preact create new elements, which discards the typed values. */}
      <main key={shown}>
        <div class="said" role="status">
          {news?.about === 'settings' && <p>{texts.settings.saved}</p>}
          {news?.about === 'password' && news.error === undefined && <p>{texts.changePassword.changed}</p>}
        </div>
        {news?.about === 'password' && news.error !== undefined && (
          <ErrorNotice error={news.error} during="changePassword" host={connection?.host} role="alert" />
        )}
        {screen === 'connection' && <Connection />}
        {screen === 'waiting' && session.kind === 'restoring' && (
          <Waiting session={session} host={connection?.host} onCancel={toSignIn} />
        )}
        {(session.kind === 'sessionUnread' || session.kind === 'unknownVersion') && isUnreadable && (
          <UnreadableSession session={session} onSignIn={toSignIn} />
        )}
        {screen === 'signIn' && (
          <SignIn
            connection={connection}
            session={session}
            last={view.lastSignIn}
            offersStart={view.offersStartAtLogin}
          />
        )}
        {screen === 'session' && 'kept' in session && (
          <Session
            connection={connection}
            session={session}
            agent={agent}
            asksSignOut={opened === 'signOut'}
            onAskSignOut={(asks) => setOpened(asks ? 'signOut' : undefined)}
            onSignIn={toSignIn}
            onChangePassword={() => setOpened('changePassword')}
            onTools={() => setOpened('tools')}
          />
        )}
        {screen === 'tools' && connection !== undefined && (
          <Tools address={connection.baseAddress} connection={shown} agent={agent} />
        )}
        {screen === 'changePassword' && 'kept' in session && (
          <ChangePassword
            account={session.account}
            host={connection?.host}
            rule={rules[shown]}
            onRule={(rule) => setRules((before) => ({ ...before, [shown]: rule }))}
            onChanged={() => {
              close()
              tell({ about: 'password' })
            }}
            onLate={(error) => tell({ about: 'password', error })}
          />
        )}
        {(screen === 'settings' || screen === 'about') && (
          <Settings
            view={view}
            about={screen === 'about'}
            onAbout={toAbout}
            onClose={(saved) => {
              close()
              if (saved) tell({ about: 'settings' })
            }}
          />
        )}
        {/* Notices appear below the permanent content, so that they don't move it. */}
        {view.update !== undefined && <UpdateReady {...view.update} isBusy={session.kind === 'signingIn'} />}
        {notices.length > 0 && (
          <Notice tone="quiet">
            {notices.map((notice) => (
              <p key={notice} class="hint">
                {notice}
              </p>
            ))}
          </Notice>
        )}
      </main>
    </UnsavedProvider>
  )
}
