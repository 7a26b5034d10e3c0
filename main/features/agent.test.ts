import { expect, it, vi } from 'vitest'
import type { SignInNeed } from '../../contract/views.ts'
import { settle } from '../../test/support/manual-time.ts'
import { appSettings } from '../../test/support/open-settings.ts'
import type { AgentState } from '../agent/agent.ts'
import { Listeners } from '../base/listeners.ts'
import type { AppLayer } from '../settings/layers.ts'
import { AgentFeature } from './agent.ts'

const OFF: AgentState = { kind: 'off' }
const ON: AgentState = { kind: 'on', location: { kind: 'socket', path: '/run/agent.sock' } }
const FAILED: AgentState = { kind: 'failed', problem: { kind: 'inUse', path: '/run/agent.sock' } }

function open() {
  const now = {
    policy: {} as AppLayer,
    user: {} as AppLayer,
    needs: [] as SignInNeed[],
    announcesAsking: { value: true },
  }
  const [reach, policyChanges] = [new Listeners<'lost' | 'restored'>(), new Listeners()]
  const become = (state: AgentState) => async () => Object.assign(agent, { state }).state
  const agent = {
    state: OFF,
    usage: { list: () => [{ name: 'curl', lastAt: 1, count: 2 }], subscribe: () => () => {} },
    needs: { list: () => now.needs, subscribe: () => () => {} },
    onChange: reach.subscribe,
    start: become(ON),
    turnOff: vi.fn<(by: 'user' | 'administrator') => Promise<void>>(async () => void become(OFF)()),
    stop: async () => void become(OFF)(),
  }
  const noted = vi.fn()
  const feature = new AgentFeature({
    clock: { wall: () => 0 },
    platform: 'linux',
    agent,
    announcesAsking: now.announcesAsking,
    setting: appSettings(now).of('agent'),
    problem: (each) => (each.kind === 'failed' ? 'It is in use.' : undefined),
    onPolicyChange: policyChanges.subscribe,
    shown: () => 'staging',
    log: { state: noted, firstUse: () => {}, restored: () => {} },
    changed: () => {},
  })
  const tell = (state: AgentState, change: 'lost' | 'restored') => {
    Object.assign(agent, { state })
    reach.tell(change)
    return feature.view().agent.problem
  }
  return { feature, agent, now, policyChanges, tell, noted }
}

it('the agent is on unless the user or the policy turns it off, and it follows the policy until the feature stops', async () => {
  const { feature, agent, now, policyChanges } = open()
  await feature.start()
  expect(agent.state).toBe(ON)
  now.user = { agent: false }
  await feature.apply()
  expect([agent.state, agent.turnOff.mock.lastCall]).toEqual([OFF, ['user']])
  for (const said of [true, false]) {
    now.policy = { agent: said }
    now.user = { agent: !said }
    policyChanges.tell()
    await settle()
    expect(agent.state).toBe(said ? ON : OFF)
  }
  expect(agent.turnOff.mock.lastCall).toEqual(['administrator'])
  await feature.stop()
  now.policy = { agent: true }
  policyChanges.tell()
  await settle()
  expect(agent.state).toBe(OFF)
})

it('the policy can hide a tool that asked for a token and didn’t wait, but not a tool that waits for a sign-in', () => {
  const { feature, now } = open()
  const first = { name: 'curl' }
  const waits = { connection: 'staging', waiting: [first], first }
  now.needs = [{ connection: 'default', waiting: [], first }, waits]
  expect(feature.view().needs).toEqual(now.needs)
  now.announcesAsking.value = false
  expect(feature.view().needs).toEqual([waits])
})

it('the window shows why tools can’t reach the agent until they can again, or until the agent is turned off', async () => {
  const { feature, now, tell, noted } = open()
  await feature.start()
  expect(tell(FAILED, 'lost')).toBe('It is in use.')
  now.user = { agent: false }
  expect(feature.view().agent.problem).toBeUndefined()
  now.user = {}
  expect(tell(ON, 'restored')).toBeUndefined()
  expect(noted.mock.calls).toEqual([[ON], [FAILED], [ON]])
})
