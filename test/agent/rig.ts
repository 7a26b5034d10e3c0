import path from 'node:path'
import { onTestFinished } from 'vitest'
import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { Agent, type GatewayUse } from '../../main/agent/agent.ts'
import type { Limits } from '../../main/agent/limits.ts'
import type { AgentLocation } from '../../main/agent/location.ts'
import { newPipeName } from '../../main/agent/pipe-file.ts'
import type { StatusView } from '../../main/agent/status.ts'
import type { TokenSource } from '../../main/agent/token-source.ts'
import { type Clock, DeadlineClock } from '../../main/base/clock.ts'
import { Listeners } from '../../main/base/listeners.ts'
import { newPassword } from '../../main/gateway/passwords.ts'
import { ManualTime } from '../support/manual-time.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { presentSecret } from './client.ts'
import { ModelSource } from './model-source.ts'

export const HOUR = 3_600_000

export const SIGNED_OUT: StatusView = { version: '1.2.3', session: { kind: 'signedOut', revocation: 'none' } }

export const ownUid = (): number => process.getuid?.() ?? 0

export const agentAt = (
  location: AgentLocation,
  { source, clock, ...more }: { source: TokenSource; clock: Clock } & Partial<ConstructorParameters<typeof Agent>[0]>,
): Agent =>
  new Agent({
    location,
    connections: {
      names: [DEFAULT_CONNECTION],
      source: () => source,
      signOut: async (connection) => ({ connection, result: 'revoked' }),
    },
    view: () => SIGNED_OUT,
    clock,
    uid: ownUid(),
    ...more,
  })

export type AgentRig = Awaited<ReturnType<typeof startAgent>>

export async function startAgent(limits: Partial<Limits> = {}) {
  const folder = temporaryFolder()
  const isPipe = process.platform === 'win32'
  const file = path.join(folder, isPipe ? 'agent.json' : 'agent.sock')
  const socket = isPipe ? newPipeName() : file
  const location: AgentLocation = isPipe ? { kind: 'pipe', file } : { kind: 'socket', path: file }
  if (isPipe) presentSecret(socket, file)
  const time = new ManualTime()
  const clock = new DeadlineClock(time)
  const source = new ModelSource(clock)
  source.grant(HOUR)
  const names: string[] = [DEFAULT_CONNECTION]
  const shown = { view: SIGNED_OUT }
  const gatewayUses = new Listeners<GatewayUse>()
  const agent = agentAt(location, {
    source,
    clock,
    pipeName: () => socket,
    connections: { names, source: () => source, signOut: async (connection) => ({ connection, result: 'revoked' }) },
    view: () => shown.view,
    gateway: {
      view: () => ({ kind: 'listening', address: 'http://127.0.0.1:24817', hasPassword: true }),
      newPassword: () => ({ ok: true, value: newPassword() }),
    },
    onGatewayUse: gatewayUses.subscribe,
    limits,
  })
  onTestFinished(() => agent.stop())
  const state = await agent.start()
  if (state.kind !== 'on') throw new Error(`the agent is ${JSON.stringify(state)}`)
  return { agent, source, time, folder, socket, location, names, shown, askGateway: gatewayUses.tell }
}
