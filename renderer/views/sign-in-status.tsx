import type { SessionView } from '../../contract/views.ts'
import { signedOutLines } from '../../text/state.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { Problem, Status } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

interface SignInStatusProps {
  readonly session: SessionView
  readonly host: string | undefined
  /** The connection, in one line. */
  readonly where: string | undefined
}

/** Where the user signs in; or how the last session ended, and whether its revocation is still pending. */
export const SignInStatus = ({ session, host, where }: SignInStatusProps) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const { heading, leadAgain } = texts.signIn
  const common = { during: 'session', host, tone: 'warn' } as const
  if (session.kind === 'expired') {
    return <Problem {...common} error={session.failure} issuer={session.account.grant.issuer} />
  }
  if (session.kind !== 'signedOut') {
    return (
      <Status title={heading}>
        <p>{session.kind === 'ending' ? leadAgain : where}</p>
      </Status>
    )
  }
  const { failure, revocation, revocationFailure, revocationIssuer } = session
  const lines = signedOutLines(texts, session, host, now)
  if (failure !== undefined) {
    const { body } = texts.failure(failure, 'session', host)
    return <Problem {...common} error={failure} body={[body, ...lines].join(' ')} />
  }
  return (
    <Status
      title={heading}
      tone={revocation === 'refused' ? 'warn' : undefined}
      failure={revocationFailure}
      issuer={revocationIssuer}
      remedy={revocationFailure && <ProxyAsks error={revocationFailure} />}
    >
      <p>{lines.length > 0 ? lines.join(' ') : where}</p>
    </Status>
  )
}
