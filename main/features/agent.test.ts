import { beforeEach, expect, it } from 'vitest'
import { Listeners } from '../base/listeners.ts'
import { settle } from '../session/testing/manual-time.ts'
import { AppSettings } from '../settings/app-setting.ts'
import { AgentFeature } from './agent.ts'

type State = 'off' | 'off by user' | 'off by administrator' | 'on' | 'failed'

let policy: boolean | undefined
let own: { agent: boolean | undefined }
let state: State
let canServe: boolean
let noted: State[]
let changes: number
let uses: Listeners
let reach: Listeners<'lost' | 'restored'>
let policyChanges: Listeners
let restores: number
let now: number
let agent: AgentFeature<State>

beforeEach(() => {
  policy = undefined
  own = { agent: undefined }
  state = 'off'
  canServe = true
  noted = []
  changes = 0
  uses = new Listeners()
  reach = new Listeners()
  policyChanges = new Listeners()
  restores = 0
  now = 1
  agent = new AgentFeature<State>({
    clock: { wall: () => now },
    platform: 'linux',
    agent: {
      get state() {
        return state
      },
      usage: {
        list: (connection) => [{ name: `curl for ${connection}`, lastAt: 1, count: 2 }],
        subscribe: uses.subscribe,
      },
      onChange: reach.subscribe,
      start: async () => {
        state = canServe ? 'on' : 'failed'
        return state
      },
      turnOff: async (by) => {
        state = `off by ${by}`
      },
      stop: async () => {
        state = 'off'
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
    problem: (each) => (each === 'failed' ? 'It is in use.' : undefined),
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
])('if the policy’s value is %s and the user’s is %s, the agent is on: %s', async (said, wanted, enabled, source) => {
  policy = said
  own.agent = wanted
  await agent.start()
  expect(state).toBe(enabled ? 'on' : `off by ${source === 'policy' ? 'administrator' : 'user'}`)
  expect(agent.view().agent).toEqual({ uses: [{ name: 'curl for staging', lastAt: 1, count: 2 }] })
})

it('the window shows why the agent isn’t running, unless the agent is turned off', async () => {
  canServe = false
  await agent.start()
  expect(agent.view().agent).toMatchObject({ problem: 'It is in use.' })
  own.agent = false
  await agent.apply()
  expect(noted).toEqual(['failed', 'off by user'])
  expect(agent.view().agent).not.toHaveProperty('problem')
})

it('the agent is turned on and off when the policy changes, until the feature is stopped', async () => {
  await agent.start()
  policy = false
  policyChanges.tell()
  await settle()
  expect([state, changes]).toEqual(['off by administrator', 2])
  policy = true
  policyChanges.tell()
  await settle()
  expect(state).toBe('on')
  await agent.stop()
  policyChanges.tell()
  uses.tell()
  await settle()
  expect([state, changes]).toEqual(['off', 3])
  expect(noted).toEqual(['on', 'off by administrator', 'on', 'off'])
})

it('a connection counts as in use for ten minutes after a tool used it, because a sign-out would affect that tool', () => {
  expect(agent.isInUse('default')).toBe(true)
  now = 10 * 60_000
  expect(agent.isInUse()).toBe(true)
  now += 1
  expect(agent.isInUse()).toBe(false)
})

it('the window says when tools can’t reach the agent any more, and when they can again', async () => {
  await agent.start()
  state = 'failed'
  reach.tell('lost')
  expect(agent.view().agent).toMatchObject({ problem: 'It is in use.' })
  expect([noted, changes, restores]).toEqual([['on', 'failed'], 2, 0])
  state = 'on'
  reach.tell('restored')
  expect(agent.view().agent).not.toHaveProperty('problem')
  expect([noted, changes, restores]).toEqual([['on', 'failed', 'on'], 3, 1])
})
