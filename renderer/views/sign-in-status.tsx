import type { SessionView } from '../../contract/views.ts'
import { signedOutLines } from '../../text/state.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { Problem, Status } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-sign-in.tsx'

interface SignInStatusProps {
  readonly session: SessionView
  readonly host: string | undefined
  readonly where: string | undefined
  readonly need: string | undefined
}

export const SignInStatus = ({ session, host, where, need }: SignInStatusProps) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const { heading, leadAgain } = texts.signIn
  const needs = need === undefined ? [] : [`${need}.`]
  const common = { during: 'session', host, tone: 'warn' } as const
  const hint = <p class="hint">{where}</p>
  if (session.kind === 'expired') {
    const { issuer } = session.account.grant
    const { body } = texts.failure(session.failure, 'session', host, issuer)
    return (
      <>
        <Problem {...common} error={session.failure} issuer={issuer} body={[body, ...needs].join(' ')} />
        {hint}
      </>
    )
  }
  if (session.kind !== 'signedOut') {
    const isSignedIn = session.kind === 'ending' || session.kind === 'active'
    return (
      <>
        <Status title={heading}>
          <p>{isSignedIn ? leadAgain : where}</p>
        </Status>
        {isSignedIn && hint}
      </>
    )
  }
  const { failure, revocation, revocationFailure, revocationIssuer } = session
  const lines = signedOutLines(texts, session, host, now)
  if (failure !== undefined) {
    const { body } = texts.failure(failure, 'session', host)
    return (
      <>
        <Problem {...common} error={failure} body={[body, ...lines, ...needs].join(' ')} />
        {hint}
      </>
    )
  }
  return (
    <>
      <Status
        title={heading}
        tone={revocation === 'refused' ? 'warn' : undefined}
        failure={revocationFailure}
        issuer={revocationIssuer}
        remedy={revocationFailure && <ProxyAsks error={revocationFailure} />}
      >
        <p>{lines.length > 0 ? lines.join(' ') : where}</p>
        {needs.length > 0 && <p>{needs}</p>}
      </Status>
      {lines.length > 0 && hint}
    </>
  )
}
