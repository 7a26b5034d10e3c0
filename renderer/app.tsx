import type { ReadonlySignal } from '@preact/signals'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { AppView, LatchkeyApi } from '../preload/contract.ts'
import type { Texts } from '../text/index.ts'
import { stateLine } from '../text/state.ts'
import { BrandKey } from './parts/brand-key.tsx'
import { SurroundingsProvider } from './parts/context.ts'
import { useEscape } from './parts/hooks.ts'
import { Notice } from './parts/notice.tsx'
import { type Opened, screenOf, stillOpened } from './screen.ts'
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
  const close = useCallback(() => setOpened(undefined), [])
  useEffect(() => setOpened((before) => stillOpened(session.kind, before)), [session.kind])
  useEscape(opened === undefined ? undefined : close)

  const screen = screenOf(session.kind, opened)
  const signedOut = session.kind === 'signedOut' || session.kind === 'signingIn'
  const changeable = screen === 'signIn' && signedOut && opened === undefined && connection?.source === 'user'

  return (
    <>
      <header>
        <BrandKey />
        <b>{texts.app}</b>
        {screen !== 'session' && screen !== 'connection' && <span class="where">{connection?.host}</span>}
        {changeable && (
          <button type="button" class="link" onClick={() => setOpened('connection')}>
            {texts.buttons.change}
          </button>
        )}
        {opened !== undefined && (
          <button type="button" class="link" onClick={close}>
            {texts.buttons.back}
          </button>
        )}
      </header>
      <main>
        {notices.map((notice) => (
          <Notice key={notice} tone="warn">
            <p>{notice}</p>
          </Notice>
        ))}
        {screen === 'connection' && <Connection connection={connection} onDone={close} />}
        {screen === 'waiting' && <Waiting />}
        {screen === 'keychainLocked' && <KeychainLocked onSignIn={() => setOpened('signIn')} />}
        {screen === 'signIn' && <SignIn connection={connection} session={session} />}
        {screen === 'session' && 'kept' in session && (
          <Session connection={connection} session={session} onSignIn={() => setOpened('signIn')} />
        )}
      </main>
    </>
  )
}
