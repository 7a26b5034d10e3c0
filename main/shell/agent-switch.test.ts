import { beforeEach, describe, expect, it } from 'vitest'
import { AppSettings } from '../settings/app-setting.ts'
import { AgentSwitch } from './agent-switch.ts'

type State = 'off' | 'on' | 'failed'

let policy: boolean | undefined
let own: { agent: boolean | undefined }
let state: State
let canServe: boolean
let noted: State[]
let changes: number
let agent: AgentSwitch<State>

beforeEach(() => {
  policy = undefined
  own = { agent: undefined }
  state = 'off'
  canServe = true
  noted = []
  changes = 0
  agent = new AgentSwitch<State>({
    agent: {
      get state() {
        return state
      },
      usage: { list: (connection) => [{ name: `curl for ${connection}`, lastAt: 1, count: 2 }] },
      start: async () => {
        state = canServe ? 'on' : 'failed'
        return state
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
        saveApp: (_, value) => {
          own.agent = value
        },
      },
    }).of('agent'),
    problem: (each) => (each === 'failed' ? 'It is in use.' : undefined),
    note: (each) => noted.push(each),
    onChange: () => {
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
])('policy %s over the user’s %s: it serves: %s', async (said, wanted, enabled, source) => {
  policy = said
  own.agent = wanted
  await agent.apply()
  expect(state).toBe(enabled ? 'on' : 'off')
  expect(agent.viewOf('staging')).toEqual({
    enabled,
    ...(source && { source }),
    uses: [{ name: 'curl for staging', lastAt: 1, count: 2 }],
  })
})

describe('the user', () => {
  it('turns it off and on, and that is remembered', async () => {
    await agent.apply()
    await expect(agent.set(false)).resolves.toMatchObject({ ok: true })
    expect([state, own.agent]).toEqual(['off', false])
    await agent.set(true)
    expect([state, own.agent]).toEqual(['on', true])
    expect(changes).toBe(3)
  })

  it.each([true, false])('SECURITY: has no say where the administrator has decided: %s', async (said) => {
    policy = said
    await agent.apply()
    const before = state
    await expect(agent.set(!said)).resolves.toMatchObject({
      ok: false,
      failure: { code: 'invalidInput', details: { cause: 'managed' } },
    })
    expect([state, own.agent]).toEqual([before, undefined])
  })
})

it('says why it does not serve though it should, and nothing where it is turned off', async () => {
  canServe = false
  await agent.apply()
  expect(agent.viewOf('default')).toMatchObject({ enabled: true, problem: 'It is in use.' })
  await agent.set(false)
  expect(noted).toEqual(['failed', 'off'])
  expect(agent.viewOf('default')).not.toHaveProperty('problem')
})
