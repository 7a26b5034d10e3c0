import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'
import type { SignedIn } from './session.tsx'

const SECOND = 1_000

interface SessionErrorProps {
  readonly session: SignedIn
  readonly host: string | undefined
}

/** Why the session can't be refreshed or stored, and what happens next. */
export const SessionError = (props: SessionErrorProps) => {
  const { texts } = useSurroundings()
  const { kind, kept, account } = props.session
  const unwritten = kept === 'unwritten' ? texts.session.kept(kept, account.grant.capabilities) : undefined
  return (
    <>
      <RefreshError {...props} unwritten={unwritten} />
      {unwritten !== undefined && kind !== 'unreachable' && (
        <Notice tone="warn">
          <p>{unwritten}</p>
        </Notice>
      )}
    </>
  )
}

interface RefreshErrorProps extends SessionErrorProps {
  /** Says that the keychain can't store the session. Replaces the line that says where the session is stored. */
  readonly unwritten: string | undefined
}

const RefreshError = ({ session, host, unwritten }: RefreshErrorProps) => {
  const { texts } = useSurroundings()
  if (session.kind === 'active') return null
  if (session.kind === 'unreachable') {
    return (
      <>
        <ErrorNotice
          error={session.failure}
          during="session"
          issuer={session.account.grant.issuer}
          host={host}
          tone="warn"
          body={unwritten}
        >
          <Retry at={session.retryAt} running={session.refresh === 'running'} />
        </ErrorNotice>
        <ProxyAsks error={session.failure} />
      </>
    )
  }
  const refused = session.failure.code === 'sessionEnded'
  return (
    <ErrorNotice
      error={session.failure}
      during="session"
      issuer={session.account.grant.issuer}
      host={host}
      tone="warn"
      title={refused ? texts.session.endingTitle : undefined}
      body={refused ? texts.session.endingBody : undefined}
    />
  )
}

/** The countdown to the next attempt. Not in a live region, because it changes every second. */
const Retry = ({ at, running }: { readonly at: number; readonly running: boolean }) => {
  const { texts } = useSurroundings()
  const now = useNow(SECOND)
  return <span class="figures">{running || at <= now ? texts.session.retrying : texts.session.retryIn(at - now)}</span>
}
