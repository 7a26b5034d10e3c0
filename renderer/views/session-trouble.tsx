import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { Notice, TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'
import type { SignedIn } from './session.tsx'

const SECOND = 1_000

interface SessionTroubleProps {
  readonly session: SignedIn
  readonly host: string | undefined
}

/** What keeps the session from being renewed or from being kept, and what comes next. */
export const SessionTrouble = (props: SessionTroubleProps) => {
  const { texts } = useSurroundings()
  const { kept, account } = props.session
  return (
    <>
      <RenewalTrouble {...props} />
      {kept === 'unwritten' && (
        <Notice tone="warn">
          <p>{texts.session.kept(kept, account.method)}</p>
        </Notice>
      )}
    </>
  )
}

const RenewalTrouble = ({ session, host }: SessionTroubleProps) => {
  const { texts } = useSurroundings()
  if (session.kind === 'active') return null
  if (session.kind === 'unreachable') {
    return (
      <>
        <TroubleNotice
          trouble={session.failure}
          during="session"
          method={session.account.method}
          host={host}
          tone="warn"
        >
          <Retry at={session.retryAt} running={session.renewal === 'running'} />
        </TroubleNotice>
        <ProxyAsks trouble={session.failure} />
      </>
    )
  }
  const refused = session.failure.code === 'sessionEnded'
  return (
    <TroubleNotice
      trouble={session.failure}
      during="session"
      method={session.account.method}
      host={host}
      tone="warn"
      title={refused ? texts.session.endingTitle : undefined}
      body={refused ? texts.session.endingBody(session.token.expiresAt, Date.now()) : undefined}
    />
  )
}

/** Counts down by the second, in figures of one width; outside of every live region. */
const Retry = ({ at, running }: { readonly at: number; readonly running: boolean }) => {
  const { texts } = useSurroundings()
  const now = useNow(SECOND)
  return <span class="figures">{running || at <= now ? texts.session.retrying : texts.session.retryIn(at - now)}</span>
}
