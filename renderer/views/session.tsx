import { assertNever } from '../../contract/assert-never.ts'
import { proxyToSignInTo } from '../../contract/failures.ts'
import { nearEndOf } from '../../contract/session-end.ts'
import { isLocked } from '../../contract/settings.ts'
import type { ConnectionView, GatewayView, SessionView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useCall, useNow } from '../parts/hooks.ts'
import { placed } from '../parts/opened.ts'
import { CheckThisComputer, Status, type StatusProps, statusOf } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-sign-in.tsx'
import { type AgentState, ToolsCard } from './tools/tools-card.tsx'
import type { SessionActions } from './use-session-actions.ts'

export type SignedIn = Extract<SessionView, { kind: 'active' | 'unreachable' | 'ending' }>

export const isServing = ({ enabled, problem }: AgentState): boolean => enabled && problem === undefined

export const isRefreshable = ({ token }: SignedIn): boolean => token === undefined || token.refreshesAt !== undefined

const isShortLived = ({ token }: SignedIn): boolean =>
  token?.refreshesAt !== undefined && token.refreshesAt >= token.expiresAt

interface SessionProps {
  readonly connection: ConnectionView | undefined
  readonly session: SignedIn
  readonly agent: AgentState
  readonly gateway: GatewayView
  readonly actions: SessionActions
}

const hasTools = ({ agent, gateway }: SessionProps): boolean =>
  isServing(agent) || (!agent.enabled && gateway.kind !== 'forbidden')

export const Session = (props: SessionProps) => (
  <>
    <SessionStatus {...props} />
    {hasTools(props) && <ToolsCard agent={props.agent} />}
  </>
)

const SessionStatus = (props: SessionProps) => {
  const { api, texts } = useSurroundings()
  const call = useCall()
  const turningOn = { ...call, start: () => call.run(() => api.setSwitch({ name: 'agent', enabled: true })) }
  const now = useNow()
  // All states use the same element, so that a change of state doesn't move the focus.
  return <Status {...describe(props, texts, turningOn, now)} focuses />
}

type TurningOn = Pick<Call, 'pending' | 'error'> & { readonly start: () => void }

function describe(props: SessionProps, texts: Texts, turningOn: TurningOn, now: number): StatusProps {
  const { connection, session, agent, actions } = props
  const words = texts.session
  const { token, account, kept } = session
  const unsaved = texts.notifications.unsaved
  const hasToken = token !== undefined && token.expiresAt > now
  const tools = hasToken ? words.tokenUntil(token.expiresAt, now) : words.noToken
  const common = { host: connection?.host, issuer: account.grant.issuer, during: 'session', tone: 'warn' } as const
  switch (session.kind) {
    case 'active':
      break
    case 'unreachable': {
      const { failure, refresh, retryAt } = session
      const stays =
        kept === 'unsaved' ? unsaved.body : texts.failure(failure, 'session', common.host, common.issuer).body
      return statusOf(texts, {
        ...common,
        error: failure,
        body: (
          <>
            {stays} <Outage tools={tools} retryAt={retryAt} isRunning={refresh === 'running'} />
          </>
        ),
        remedy:
          proxyToSignInTo(failure) === undefined ? (
            <>
              <button type="button" aria-disabled={actions.isRefreshing} onClick={actions.refresh}>
                {words.retryNow}
              </button>
              {!hasToken && <SignInAgain look="plain" />}
            </>
          ) : (
            <ProxyAsks error={failure} />
          ),
      })
    }
    case 'ending': {
      const isRefused = session.failure.code === 'sessionEnded'
      return statusOf(texts, {
        ...common,
        error: session.failure,
        title: isRefused ? words.endingTitle : undefined,
        body: isRefused ? `${tools}. ${words.endingBody}` : undefined,
        remedy: <SignInAgain />,
      })
    }
    default:
      return assertNever(session)
  }
  if (!agent.enabled) return turnedOff(props, texts, turningOn)
  const check = { tone: 'warn', remedy: <CheckThisComputer /> } as const
  if (agent.problem !== undefined) {
    return { ...check, title: texts.agent.errorTitle, children: <p>{agent.problem}</p> }
  }
  if (kept === 'unsaved') return { ...check, title: unsaved.title, children: <p>{unsaved.body}</p> }
  if (token !== undefined && !isRefreshable(session)) {
    const { expiresAt } = token
    return { title: words.access(expiresAt, now), children: <p>{words.endsIn(expiresAt - now)}</p> }
  }
  const near = nearEndOf(session, now)
  if (near !== undefined) {
    const { soon, soonBody } = texts.sessionEnd
    const by = near.saidBy === 'provider' ? account.grant.issuer : near.saidBy
    return { tone: 'warn', title: soon(near.at, now), children: <p>{soonBody(by)}</p>, remedy: <SignInAgain /> }
  }
  const lasts = untilWhen(session, texts, now)
  const stays = session.end === undefined || lasts === undefined || kept === 'memory' ? [words.kept[kept]] : []
  return {
    title: agent.uses.length > 0 ? words.connected : words.ready,
    children: (
      <>
        <p>{[...stays, ...(lasts === undefined ? [] : [lasts])].join(' ')}</p>
        {isShortLived(session) && <p>{words.shortLived}</p>}
      </>
    ),
  }
}

/** An idle limit shorter than this isn't mentioned, because Latchkey refreshes the session long before it passes. */
const WORTH_SAYING_MS = 12 * 3_600_000

function untilWhen({ end, account }: Extract<SignedIn, { kind: 'active' }>, texts: Texts, now: number) {
  const words = texts.sessionEnd
  switch (end?.kind) {
    case undefined:
      return words.notKnown(account.grant.issuer)
    case 'never':
      return words.noLimit
    case 'notBefore':
      return end.at - now >= WORTH_SAYING_MS ? words.atLeast(end.at, now) : undefined
    case 'expected':
      return words.until(end.at, now, end.saidBy === 'provider' ? account.grant.issuer : end.saidBy)
  }
}

const SignInAgain = ({ look }: { readonly look?: 'plain' }) => {
  const { texts, open } = useSurroundings()
  return (
    <button type="button" class={look} {...placed('signIn')} onClick={() => open({ screen: 'signIn' })}>
      {texts.buttons.signIn}
    </button>
  )
}

function turnedOff(
  { agent, session, connection }: SessionProps,
  texts: Texts,
  { pending, error, start }: TurningOn,
): StatusProps {
  const byAdministrator = isLocked('agent', agent.source)
  const common = { tone: 'warn', title: texts.agent.errorTitle } as const
  const said = (
    <>
      <p>{byAdministrator ? texts.agent.offByAdministrator : texts.agent.off}</p>
      <p>{texts.state.signedIn(session.account.displayName, connection?.host)}</p>
    </>
  )
  if (byAdministrator) return { ...common, children: said }
  return {
    ...common,
    children: (
      <>
        {said}
        {error !== undefined && (
          <p class="field-error" role="alert">
            {texts.settings.desktop.notSet}
          </p>
        )}
      </>
    ),
    remedy: (
      <button type="button" aria-disabled={pending} onClick={start}>
        {texts.agent.turnOn}
      </button>
    ),
  }
}

interface OutageProps {
  readonly tools: string
  readonly retryAt: number
  readonly isRunning: boolean
}

/** The countdown isn't in a live region, because it changes every second. */
const Outage = ({ tools, retryAt, isRunning }: OutageProps) => {
  const { session } = useSurroundings().texts
  const now = useNow(1_000)
  const retry = isRunning || retryAt <= now ? session.retrying : session.retryIn(retryAt - now)
  return <span class="figures">{session.outage(tools, retry)}</span>
}
