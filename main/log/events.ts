/** Logs what happens in the app and its sessions, without names of people or tools, and without a server's text. */
import type { Failure } from '../../contract/failures.ts'
import type { SessionView } from '../../contract/views.ts'
import { errorCode, type Log, type LogEvent, type LogFields } from './log.ts'

type AgentSeen = { readonly kind: 'off' | 'on' | 'failed'; readonly problem?: { readonly kind: string } }

export function logAgent(log: Log): (state: AgentSeen) => void {
  let before = 'off'
  return ({ kind, problem }) => {
    const now = [kind, problem?.kind].join(' ')
    if (now === before) return
    if (kind === 'failed') log.warn('agent.problem', { problem: problem?.kind })
    else if (kind === 'on') log.info('agent.started')
    else if (before.startsWith('on')) log.info('agent.stopped')
    before = now
  }
}

/** Logs the first proxy on the way to each host, and each later change of that proxy. */
export function logProxies(log: Log): (host: string, proxy: string | undefined) => void {
  const known = new Map<string, string>()
  return (host, proxy = 'direct') => {
    if (known.get(host) === proxy) return
    known.set(host, proxy)
    log.info('network.proxy', { host, proxy })
  }
}

interface Problem {
  readonly source: string
  readonly where: string
  readonly key?: string
  readonly at?: { readonly line: number } | undefined
  readonly file?: string
  readonly problem: string
}

/** Logs unusable settings. Each is logged only once while its problem lasts. */
export function logProblems(log: Log): (problems: readonly Problem[]) => void {
  let before: ReadonlySet<string> = new Set()
  return (problems) => {
    const now = new Map(problems.map((each) => [JSON.stringify(each), each]))
    for (const [text, { source, where, key, at, file, problem }] of now) {
      // A path may contain a username.
      const name = (file ?? where).split(/[\\/]/).at(-1)
      if (!before.has(text)) log.warn('settings.problem', { source, where: name, key, line: at?.line, problem })
    }
    before = new Set(now.keys())
  }
}

export function logUpdates(log: Log): (event: { readonly ready: string } | { readonly error: unknown }) => void {
  return (event) => {
    if ('ready' in event) log.info('update.ready', { version: event.ready })
    else log.warn('update.failed', { code: errorCode(event.error) })
  }
}

/** Empty if only times have changed. `before` is `undefined` for the first view. */
export function sessionEvents(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  return [
    ...moved(before, after),
    ...refreshed(before, after),
    ...failed(before, after),
    ...storageChanged(before, after),
    ...revoked(before, after),
  ]
}

/** Logs the revocations of sessions whose address no connection uses any more. */
export function logRemoved(log: Log): (host: string, session: SessionView) => void {
  const before = new Map<string, SessionView>()
  return (host, session) => {
    for (const { level, event, fields } of revoked(before.get(host), session)) log[level](event, { host, ...fields })
    before.set(host, session)
  }
}

const NEEDING_ATTENTION: readonly SessionView['kind'][] = ['sessionUnread', 'unknownVersion', 'ending', 'expired']

function moved(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  if (before?.kind === after.kind) return []
  const needsAttention = NEEDING_ATTENTION.includes(after.kind)
  const fields = {
    from: before?.kind,
    to: after.kind,
    method: 'account' in after ? after.account.grant.name : undefined,
  }
  return [{ level: needsAttention || after.kind === 'unreachable' ? 'warn' : 'info', event: 'session.state', fields }]
}

const isRefreshing = (view: SessionView | undefined): boolean =>
  view !== undefined && 'refresh' in view && view.refresh === 'running'

function refreshed(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  if (!isRefreshing(before) || after.kind !== 'active' || after.refresh === 'running') return []
  const lifetime = Math.round((after.token.expiresAt - after.token.receivedAt) / 1_000)
  return [{ level: 'info', event: 'session.refreshed', fields: { lifetime } }]
}

function failed(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  const failure = failureOf(after)
  if (failure === undefined || isRefreshing(after)) return []
  const isAnother = JSON.stringify(failure) !== JSON.stringify(failureOf(before))
  if (!isAnother && !(after.kind === 'unreachable' && isRefreshing(before))) return []
  const event = after.kind === 'unreachable' ? 'session.refreshFailed' : 'session.ended'
  return [{ level: 'warn', event, fields: failureFields(failure) }]
}

const failureOf = (view: SessionView | undefined): Failure | undefined =>
  view !== undefined && 'failure' in view ? view.failure : undefined

export function failureFields({ code, retryAfter, details = {} }: Failure): LogFields {
  const { operation, cause, host, status, proxy } = details
  return { code, operation, cause, host, status, proxy, retryAfter }
}

function storageChanged(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  if (!('kept' in after)) return []
  const was = before !== undefined && 'kept' in before ? before.kept : undefined
  if (was === after.kept) return []
  return [{ level: after.kept === 'keychain' ? 'info' : 'warn', event: 'session.kept', fields: { kept: after.kept } }]
}

function revoked(before: SessionView | undefined, after: SessionView): readonly LogEvent[] {
  if (after.kind !== 'signedOut' || after.revocation === 'none') return []
  if (before?.kind === 'signedOut' && before.revocation === after.revocation) return []
  const level = after.revocation === 'refused' || after.revocation === 'pending' ? 'warn' : 'info'
  return [{ level, event: 'session.revocation', fields: { revocation: after.revocation } }]
}
