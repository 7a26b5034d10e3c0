import type { ReadonlySignal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { AppView, LatchkeyApi, SignInMethod } from '../preload/contract.ts'
import type { Texts } from '../text/index.ts'
import { stateLine } from '../text/state.ts'
import { SurroundingsProvider } from './parts/context.ts'
import { type Trouble, useEscape } from './parts/hooks.ts'
import { Notice, TroubleNotice } from './parts/notice.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { type Opened, screenOf, stillOpened } from './screen.ts'
import { ChangePassword } from './views/change-password.tsx'
import { Connection } from './views/connection.tsx'
import { KeychainLocked } from './views/keychain-locked.tsx'
import { Session } from './views/session.tsx'
import { SignIn } from './views/sign-in.tsx'
import { Waiting } from './views/waiting.tsx'

interface AppProps {
  readonly api: LatchkeyApi
  readonly texts: Texts
  /** Undefined until the first delivery. */
  readonly view: ReadonlySignal<AppView | undefined>
}

/** The window: a function of the view that the main process pushed, and of which form the user opened. */
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

const Contents = ({ texts, view }: { readonly texts: Texts; readonly view: AppView }) => {
  const { session, connection, notices } = view
  const [opened, setOpened] = useState<Opened>(undefined)
  const usual = useRef<SignInMethod | undefined>(undefined)
  if ('account' in session) usual.current = session.account.method
  const close = useCallback(() => setOpened(undefined), [])
  /** What became of a password change, once its form is gone. */
  const [change, setChange] = useState<'none' | 'done' | Trouble>('none')
  useEffect(() => setOpened((before) => stillOpened(session.kind, before)), [session.kind])
  const stale = opened !== undefined || !('kept' in session)
  useEffect(() => {
    if (stale) setChange('none')
  }, [stale])

  const screen = screenOf(session.kind, opened)
  const back = screenOf(session.kind, undefined) === screen ? undefined : close
  useEscape(back)
  const signedOut = session.kind === 'signedOut' || session.kind === 'signingIn'
  const changeable = screen === 'signIn' && signedOut && opened === undefined && connection?.source === 'user'

  return (
    <>
      <TopBar
        connection={screen === 'session' || screen === 'connection' ? undefined : connection}
        explained={screen === 'signIn'}
        onChange={changeable ? () => setOpened('connection') : undefined}
        onBack={back}
      />
      <main>
        {notices.length > 0 && (
          <Notice tone="quiet">
            {notices.map((notice) => (
              <p key={notice} class="hint">
                {notice}
              </p>
            ))}
          </Notice>
        )}
        <div class="said" role="status">
          {change === 'done' && <p>{texts.changePassword.changed}</p>}
        </div>
        {change !== 'none' && change !== 'done' && (
          <TroubleNotice trouble={change} during="changePassword" host={connection?.host} role="alert" />
        )}
        {screen === 'connection' && <Connection connection={connection} onDone={close} />}
        {screen === 'waiting' && <Waiting />}
        {screen === 'keychainLocked' && <KeychainLocked onSignIn={() => setOpened('signIn')} />}
        {screen === 'signIn' && <SignIn connection={connection} session={session} usual={usual.current} />}
        {screen === 'session' && 'kept' in session && (
          <Session
            connection={connection}
            session={session}
            onSignIn={() => setOpened('signIn')}
            onChangePassword={() => setOpened('changePassword')}
          />
        )}
        {screen === 'changePassword' && 'kept' in session && (
          <ChangePassword
            account={session.account}
            host={connection?.host}
            onChanged={() => {
              close()
              setChange('done')
            }}
            onLate={(trouble) => setChange(trouble ?? 'done')}
          />
        )}
      </main>
    </>
  )
}
