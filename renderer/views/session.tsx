import { useState } from 'preact/hooks'
import type { ConnectionView, SessionView } from '../../preload/contract.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { useCall } from '../parts/hooks.ts'
import { Notice, TroubleNotice } from '../parts/notice.tsx'
import { SessionTrouble } from './session-trouble.tsx'
import { TokenCard } from './token-card.tsx'

export type SignedIn = Extract<SessionView, { kind: 'active' | 'unreachable' | 'ending' }>

interface SessionProps {
  readonly connection: ConnectionView | undefined
  readonly session: SignedIn
  readonly onSignIn: () => void
  readonly onChangePassword: () => void
}

/** Who is signed in where, for how long, and where that is kept. */
export const Session = (props: SessionProps) => {
  const { connection, session, onSignIn, onChangePassword } = props
  const { api, texts } = useSurroundings()
  const { account } = session
  const renewing = useCall()
  const signingOut = useCall()
  const [renewed, setRenewed] = useState('')
  // What a renewal failed of is said by the state itself; only a bug has no state.
  const trouble = signingOut.trouble ?? (renewing.trouble === 'unexpected' ? renewing.trouble : undefined)
  const second = account.username === account.displayName ? undefined : account.username

  const renew = () => {
    setRenewed('')
    renewing.run(api.renewNow, (result) =>
      setRenewed(result === undefined ? texts.session.renewed : texts.session.stillNotRenewed),
    )
  }

  return (
    <>
      <div class="person">
        <span class="disc" aria-hidden="true">
          {[...account.displayName][0]?.toUpperCase()}
        </span>
        <div class="intro">
          <ArrivalHeading>{texts.session.heading(account.displayName)}</ArrivalHeading>
          {second !== undefined && <p class="lead">{second}</p>}
          <p class="lead">{connection?.host}</p>
        </div>
      </div>
      <SessionTrouble session={session} host={connection?.host} />
      {trouble !== undefined && (
        <TroubleNotice
          trouble={trouble}
          during="session"
          method={account.method}
          host={connection?.host}
          role="alert"
        />
      )}
      <TokenCard session={session} />
      <div class="foot">
        <Kept session={session} />
        <div class="actions">
          {session.kind === 'ending' && (
            <button type="button" class="wide" onClick={onSignIn}>
              {texts.buttons.signInAgain}
            </button>
          )}
          {isRenewable(session) && (
            <button type="button" class="plain" aria-disabled={renewing.pending} onClick={renew}>
              {renewing.pending ? texts.buttons.renewing : texts.buttons.renewNow}
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-disabled={signingOut.pending}
            onClick={() => signingOut.run(api.signOut)}
          >
            {texts.buttons.signOut}
          </button>
          {/* Last, where "Sign in" was: a second click of a double one must not sign out. */}
          {session.kind !== 'ending' && (
            <button type="button" class="plain" onClick={onChangePassword}>
              {texts.buttons.changePassword}
            </button>
          )}
        </div>
      </div>
      <p class="unseen" role="status">
        {renewed}
      </p>
    </>
  )
}

/** An identity provider may have given no refresh token: then the access token is all there is. */
const isRenewable = ({ token }: SignedIn): boolean => token === undefined || token.renewsAt !== undefined

/** Where the session is kept: in passing while all is well. */
const Kept = ({ session }: { readonly session: SignedIn }) => {
  const { texts } = useSurroundings()
  const { kept, account } = session
  // What ends anyway isn't said to be kept.
  if (session.kind === 'ending' && kept !== 'unwritten') return null
  if (kept === 'keychain') return <p class="hint">{texts.session.kept(kept, account.method)}</p>
  return (
    <Notice tone={kept === 'unwritten' ? 'warn' : 'quiet'}>
      <p>{isRenewable(session) ? texts.session.kept(kept, account.method) : texts.session.keptWithoutRefreshToken}</p>
    </Notice>
  )
}
