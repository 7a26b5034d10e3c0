import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { useCall, useNow } from '../parts/hooks.ts'
import { Notice, SmallPrint, TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

export const SignInIntro = ({ session }: { readonly session: SessionView }) => {
  const { texts } = useSurroundings()
  const again = session.kind === 'expired' || session.kind === 'ending'
  const { lead: first, leadAgain, leadExpired } = texts.signIn
  const lead = session.kind === 'expired' ? leadExpired : again ? leadAgain : first
  return (
    <div class="intro">
      <h1>{again ? texts.signIn.headingAgain : texts.signIn.heading}</h1>
      <p class="lead">{lead}</p>
    </div>
  )
}

interface SignInLinesProps {
  readonly session: SessionView
  readonly host: string | undefined
}

/** Why the form is there: how the last session ended, and what is still open of it. */
export const SignInLines = ({ session, host }: SignInLinesProps) => {
  const { texts } = useSurroundings()
  const now = useNow()
  if (session.kind === 'expired') {
    const { failure, account } = session
    // That it has ended is said by the lead already.
    return failure.code === 'sessionEnded' ? (
      <SmallPrint failure={failure} issuer={account.grant.issuer} />
    ) : (
      <TroubleNotice trouble={failure} during="session" issuer={account.grant.issuer} host={host} tone="warn" />
    )
  }
  if (session.kind !== 'signedOut') return null

  const { failure, revocation, revocationFailure, handedOutUntil } = session
  const lines = [
    texts.signIn.revocation(revocation, host),
    handedOutUntil !== undefined && handedOutUntil > now ? texts.signIn.handedOutUntil(handedOutUntil, now) : undefined,
  ].filter((line) => line !== undefined)
  return (
    <>
      {failure !== undefined && <TroubleNotice trouble={failure} during="session" host={host} tone="warn" />}
      {lines.length > 0 && (
        <Notice tone="quiet">
          <p>{lines.join(' ')}</p>
          <SmallPrint failure={revocationFailure} issuer="service" />
        </Notice>
      )}
      {revocationFailure !== undefined && <ProxyAsks trouble={revocationFailure} />}
    </>
  )
}

/** An expired session can still be tried once more (gateways refuse by mistake), or be let go. */
export const ExpiredActions = () => {
  const { api, texts } = useSurroundings()
  const { run, pending, trouble } = useCall()
  return (
    <p class="asides">
      <button type="button" class="link" aria-disabled={pending} onClick={() => run(api.refreshNow)}>
        {texts.buttons.refreshNow}
      </button>
      <button type="button" class="link" aria-disabled={pending} onClick={() => run(api.signOut)}>
        {texts.buttons.signOut}
      </button>
      <span role="status">{trouble !== undefined && texts.session.stillNotRefreshed}</span>
    </p>
  )
}
