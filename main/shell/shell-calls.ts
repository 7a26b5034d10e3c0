import type { Handlers } from '../../contract/calls.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { Session } from '../session/session.ts'
import type { AgentSwitch } from './agent-switch.ts'
import type { TokenClipboard } from './clipboard.ts'
import type { StartAtLogin } from './start-at-login.ts'

interface ShellCallsPorts {
  /** The session of a connection; of the shown one, where none is named. */
  readonly session: (name?: string) => Pick<Session, 'accessToken' | 'isServing' | 'renew'> | undefined
  readonly clipboard: Pick<TokenClipboard, 'copy'>
  readonly startAtLogin: Pick<StartAtLogin, 'set'>
  readonly agent: Pick<AgentSwitch<unknown>, 'set'>
  readonly saveDiagnostics: () => Promise<Outcome>
  readonly checkComputer: () => Promise<Outcome>
  readonly onChange: () => void
}

type ShellCalls = Pick<Handlers, 'copyToken' | 'setStartAtLogin' | 'setAgent' | 'checkComputer' | 'saveDiagnostics'>

/** The calls of the contract that are about the desktop, not about the session. */
export function shellCalls(ports: ShellCallsPorts): ShellCalls {
  return {
    copyToken: () => copyToken(ports),
    async setStartAtLogin({ enabled }) {
      const outcome = ports.startAtLogin.set(enabled)
      ports.onChange()
      return outcome
    },
    setAgent: ({ enabled }) => ports.agent.set(enabled),
    checkComputer: ports.checkComputer,
    saveDiagnostics: ports.saveDiagnostics,
  }
}

/** Puts the access token of a connection on the clipboard; of the shown one, where none is named. */
export async function copyToken(
  { session: sessionOf, clipboard }: Pick<ShellCallsPorts, 'session' | 'clipboard'>,
  name?: string,
): Promise<Outcome> {
  const session = sessionOf(name)
  if (session === undefined) return { ok: false, failure: { code: 'notConfigured' } }
  const hasRunOut = session.accessToken !== undefined && !session.isServing
  const renewed = hasRunOut ? await session.renew() : OK
  if (!renewed.ok) return renewed
  const { accessToken, isServing } = session
  if (accessToken === undefined || !isServing) return { ok: false, failure: { code: 'sessionEnded' } }
  await clipboard.copy(accessToken)
  return OK
}
