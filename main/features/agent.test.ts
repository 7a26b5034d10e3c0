import { beforeEach, expect, it } from 'vitest'
import type { SignInNeed } from '../../contract/views.ts'
import { settle } from '../../test/support/manual-time.ts'
import type { AgentState } from '../agent/agent.ts'
import { Listeners } from '../base/listeners.ts'
import { AppSettings } from '../settings/app-setting.ts'
import { AgentFeature } from './agent.ts'

const OFF: AgentState = { kind: 'off' }
const ON: AgentState = { kind: 'on', location: { kind: 'socket', path: '/run/agent.sock' } }
const FAILED: AgentState = { kind: 'failed', problem: { kind: 'inUse', path: '/run/agent.sock' } }

let policy: { agent?: boolean }
let own: { agent?: boolean }
let state: AgentState
let turnedOffBy: string | undefined
let needs: readonly SignInNeed[]
let noted: AgentState[]
let changes: number
let reach: Listeners<'lost' | 'restored'>
let policyChanges: Listeners
let now: number
const asking = { value: true }
const never = () => () => {}
let agent: AgentFeature

beforeEach(() => {
  policy = {}
  own = {}
  state = OFF
  turnedOffBy = undefined
  needs = []
  asking.value = true
  noted = []
  changes = 0
  reach = new Listeners()
  policyChanges = new Listeners()
  now = 1
  agent = new AgentFeature({
    clock: { wall: () => now },
    platform: 'linux',
    command: 'cli/latchkey',
    agent: {
      get state() {
        return state
      },
      usage: { list: (name) => [{ name: `curl for ${name}`, lastAt: 1, count: 2 }], subscribe: never },
      needs: { list: () => needs, subscribe: never },
      onChange: reach.subscribe,
      start: async () => {
        turnedOffBy = undefined
        state = ON
        return state
      },
      turnOff: async (by) => {
        turnedOffBy = by
        state = OFF
      },
      stop: async () => {
        state = OFF
      },
    },
    announcesAsking: asking,
    setting: new AppSettings({
      policy: () => policy,
      environment: {},
      user: {
        get app() {
          return { layer: own }
        },
        saveApp: () => {},
      },
    }).of('agent'),
    problem: (each) => (each.kind === 'failed' ? 'It is in use.' : undefined),
    onPolicyChange: policyChanges.subscribe,
    shown: () => 'staging',
    log: { state: (each) => noted.push(each), firstUse: () => {}, restored: () => {} },
    changed: () => {
      changes += 1
    },
  })
})

it('the agent is on unless the user or the policy turns it off, and it follows the policy until the feature stops', async () => {
  await agent.start()
  expect(state).toBe(ON)
  own = { agent: false }
  await agent.apply()
  expect([state, turnedOffBy]).toEqual([OFF, 'user'])
  for (const [said, expected] of [
    [true, [ON, undefined]],
    [false, [OFF, 'administrator']],
  ] as const) {
    policy = { agent: said }
    own = { agent: !said }
    policyChanges.tell()
    await settle()
    expect([state, turnedOffBy]).toEqual(expected)
  }
  expect(agent.view().agent.uses).toEqual([{ name: 'curl for staging', lastAt: 1, count: 2 }])
  await agent.stop()
  policy = { agent: true }
  policyChanges.tell()
  await settle()
  expect([state, changes]).toEqual([OFF, 4])
})

it('the policy can hide a tool that asked for a token and didn’t wait, but not a tool that waits for a sign-in', () => {
  const first = { name: 'curl' }
  const waits = { connection: 'staging', waiting: [first], first }
  needs = [{ connection: 'default', waiting: [], first }, waits]
  expect(agent.view().needs).toEqual(needs)
  asking.value = false
  expect(agent.view().needs).toEqual([waits])
})

it('a connection is in use until ten minutes after a tool has used it', () => {
  now = 10 * 60_000
  expect(agent.isInUse('default')).toBe(true)
  now += 1
  expect(agent.isInUse()).toBe(false)
})

it('the window shows why tools can’t reach the agent until they can again, or until the agent is turned off', async () => {
  await agent.start()
  state = FAILED
  reach.tell('lost')
  expect(agent.view().agent).toMatchObject({ problem: 'It is in use.' })
  own = { agent: false }
  expect(agent.view().agent).not.toHaveProperty('problem')
  own = {}
  state = ON
  reach.tell('restored')
  expect(agent.view().agent).not.toHaveProperty('problem')
  expect([noted, changes]).toEqual([[ON, FAILED, ON], 3])
})
