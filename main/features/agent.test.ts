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

let policy: boolean | undefined
let own: { agent: boolean | undefined }
let state: AgentState
let turnedOffBy: string | undefined
let needs: readonly SignInNeed[]
let announcesAsking: boolean
let canServe: boolean
let noted: AgentState[]
let changes: number
let uses: Listeners
let reach: Listeners<'lost' | 'restored'>
let policyChanges: Listeners
let restores: number
let now: number
let agent: AgentFeature

beforeEach(() => {
  policy = undefined
  own = { agent: undefined }
  state = OFF
  turnedOffBy = undefined
  needs = []
  announcesAsking = true
  canServe = true
  noted = []
  changes = 0
  uses = new Listeners()
  reach = new Listeners()
  policyChanges = new Listeners()
  restores = 0
  now = 1
  agent = new AgentFeature({
    clock: { wall: () => now },
    platform: 'linux',
    command: 'cli/latchkey',
    agent: {
      get state() {
        return state
      },
      usage: {
        list: (connection) => [{ name: `curl for ${connection}`, lastAt: 1, count: 2 }],
        subscribe: uses.subscribe,
      },
      needs: { list: () => needs, subscribe: () => () => {} },
      onChange: reach.subscribe,
      start: async () => {
        turnedOffBy = undefined
        state = canServe ? ON : FAILED
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
    announcesAsking: {
      get value() {
        return announcesAsking
      },
    },
    setting: new AppSettings({
      policy: () => (policy === undefined ? {} : { agent: policy }),
      environment: {},
      user: {
        get app() {
          return { layer: own.agent === undefined ? {} : { agent: own.agent } }
        },
        saveApp: () => {},
      },
    }).of('agent'),
    problem: (each) => (each.kind === 'failed' ? 'It is in use.' : undefined),
    onPolicyChange: policyChanges.subscribe,
    shown: () => 'staging',
    log: {
      state: (each) => noted.push(each),
      firstUse: () => {},
      restored: () => {
        restores += 1
      },
    },
    changed: () => {
      changes += 1
    },
  })
})

it.each([
  [undefined, undefined, true, undefined],
  [undefined, false, false, 'user'],
  [undefined, true, true, 'user'],
  [false, undefined, false, 'policy'],
  [false, true, false, 'policy'],
  [true, false, true, 'policy'],
])('if the policy says %s and the user says %s, the agent is on: %s', async (said, wanted, enabled, source) => {
  policy = said
  own.agent = wanted
  await agent.start()
  expect(state).toBe(enabled ? ON : OFF)
  expect(turnedOffBy).toBe(enabled ? undefined : source === 'policy' ? 'administrator' : 'user')
  expect(agent.view().agent).toEqual({
    command: 'cli/latchkey',
    uses: [{ name: 'curl for staging', lastAt: 1, count: 2 }],
  })
})

it('the policy can hide a tool that asked for a token and didn’t wait, but not a tool that waits for a sign-in', () => {
  const first = { name: 'curl' }
  const waits = { connection: 'staging', waiting: [first], first }
  needs = [{ connection: 'default', waiting: [], first }, waits]
  expect(agent.view().needs).toEqual(needs)
  announcesAsking = false
  expect(agent.view().needs).toEqual([waits])
})

it('the window shows why the agent isn’t running, unless the agent is turned off', async () => {
  canServe = false
  await agent.start()
  expect(agent.view().agent).toMatchObject({ problem: 'It is in use.' })
  own.agent = false
  await agent.apply()
  expect(noted).toEqual([FAILED, OFF])
  expect(agent.view().agent).not.toHaveProperty('problem')
})

it('when the policy changes, the agent is turned on or off, until the feature is stopped', async () => {
  await agent.start()
  policy = false
  policyChanges.tell()
  await settle()
  expect([state, turnedOffBy, changes]).toEqual([OFF, 'administrator', 2])
  policy = true
  policyChanges.tell()
  await settle()
  expect(state).toBe(ON)
  await agent.stop()
  policyChanges.tell()
  uses.tell()
  await settle()
  expect([state, changes]).toEqual([OFF, 3])
  expect(noted).toEqual([ON, OFF, ON, OFF])
})

it('a connection is in use until ten minutes after a tool has used it', () => {
  expect(agent.isInUse('default')).toBe(true)
  now = 10 * 60_000
  expect(agent.isInUse()).toBe(true)
  now += 1
  expect(agent.isInUse()).toBe(false)
})

it('the window shows a problem while tools can’t reach the agent', async () => {
  await agent.start()
  state = FAILED
  reach.tell('lost')
  expect(agent.view().agent).toMatchObject({ problem: 'It is in use.' })
  expect([noted, changes, restores]).toEqual([[ON, FAILED], 2, 0])
  state = ON
  reach.tell('restored')
  expect(agent.view().agent).not.toHaveProperty('problem')
  expect([noted, changes, restores]).toEqual([[ON, FAILED, ON], 3, 1])
})
