/** Logs changes of the app's state, without the names of people or tools. */
import type { Log } from './log.ts'
import { errorCode } from './log.ts'

interface AgentSeen {
  readonly kind: 'off' | 'on' | 'failed'
  readonly problem?: { readonly kind: string }
}

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

/** Logs the first proxy on the way to a host, whenever it changes. */
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
