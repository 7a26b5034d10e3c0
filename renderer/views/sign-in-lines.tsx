import type { SessionView } from '../../contract/views.ts'
import { askedOf } from '../../text/sentence.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { ErrorNotice, Notice, SmallPrint } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

export const SignInIntro = ({ session }: { readonly session: SessionView }) => {
  const { texts } = useSurroundings()
  const { heading, lead, leadAgain } = texts.signIn
  return (
    <div class="intro">
      <h1>{heading}</h1>
      {/* If the session has expired, the notice below (see `SignInLines`) says what to do. */}
      {session.kind !== 'expired' && <p class="lead">{session.kind === 'ending' ? leadAgain : lead}</p>}
    </div>
  )
}

interface SignInLinesProps {
  readonly session: SessionView
  readonly host: string | undefined
}

/** Says how the last session ended, and whether its revocation is still pending. */
export const SignInLines = ({ session, host }: SignInLinesProps) => {
  const { texts } = useSurroundings()
  const now = useNow()
  if (session.kind === 'expired') {
    const { failure, account } = session
    return <ErrorNotice error={failure} during="session" issuer={account.grant.issuer} host={host} tone="warn" />
  }
  if (session.kind !== 'signedOut') return null

  const { failure, revocation, revocationFailure, revocationIssuer, handedOutUntil } = session
  const lines = [
    // The failure names the server that failed: the service or the identity provider.
    texts.signIn.revocation(revocation, askedOf('identityProvider', host, revocationFailure).host ?? host),
    handedOutUntil !== undefined && handedOutUntil > now ? texts.signIn.handedOutUntil(handedOutUntil, now) : undefined,
  ].filter((line) => line !== undefined)
  return (
    <>
      {failure !== undefined && <ErrorNotice error={failure} during="session" host={host} tone="warn" />}
      {lines.length > 0 && (
        <Notice tone="quiet">
          <p>{lines.join(' ')}</p>
          <SmallPrint failure={revocationFailure} issuer={revocationIssuer ?? 'service'} />
        </Notice>
      )}
      {revocationFailure !== undefined && <ProxyAsks error={revocationFailure} />}
    </>
  )
}
