import { beforeEach, describe, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { Listeners } from '../base/listeners.ts'
import { AppSettings } from '../settings/app-setting.ts'
import { LoginItemFeature } from './login-item.ts'
import { MANAGED, Switches } from './switches.ts'

let enabled: boolean
let writes: number
let asked: unknown
let changes: number
let policy: boolean | undefined
let policyChanges: Listeners
let start: LoginItemFeature
let switches: Switches

const settings = new AppSettings({
  policy: () => (policy === undefined ? {} : { startAtLogin: policy }),
  environment: {},
  user: { app: { layer: {} }, saveApp: () => {} },
})
const report = () => {}
const changed = () => {
  changes += 1
}

beforeEach(() => {
  enabled = false
  writes = 0
  asked = undefined
  changes = 0
  policy = undefined
  policyChanges = new Listeners()
  start = new LoginItemFeature({
    item: {
      isEnabled: () => enabled,
      set(wanted) {
        enabled = wanted
        writes += 1
      },
      refresh() {
        writes += 1
      },
    },
    setting: settings.of('startAtLogin'),
    onPolicyChange: policyChanges.subscribe,
    asked: {
      get: () => asked,
      set: (value) => {
        asked = value
      },
    },
    report,
    changed,
  })
  switches = new Switches({ settings, desktop: { startAtLogin: start.stored }, apply: {}, report, changed })
})

const set = (wanted: boolean) => switches.handlers.setSwitch({ name: 'startAtLogin', enabled: wanted })
const toggle = () => switches.toggle('startAtLogin')
const shown = () => ({ ...switches.view().switches.startAtLogin, offered: start.view().offersStartAtLogin })

describe('start at login', () => {
  it.each([true, false])('is offered until the user has turned it on or off: %s', async (wanted) => {
    expect(shown()).toEqual({ enabled: false, offered: true })
    expect(await set(wanted)).toMatchObject({ ok: true })
    expect(shown()).toEqual({ enabled: wanted, offered: false })
    expect(changes).toBe(1)
  })

  it('writes its entry again at each start of the app while it is on', async () => {
    start.start()
    expect(writes).toBe(0)
    await set(true)
    start.start()
    expect(writes).toBe(2)
  })
})

describe('start at login under a policy', () => {
  it.each([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])('is set to %s when the app starts, even if it was %s before', (decided, before) => {
    policy = decided
    enabled = before
    start.start()
    expect(enabled).toBe(decided)
    expect(shown()).toEqual({ enabled: decided, offered: false, source: 'policy' })
  })

  it('changes with the policy, until the feature stops', () => {
    start.start()
    policy = true
    policyChanges.tell()
    expect(enabled).toBe(true)
    policy = false
    policyChanges.tell()
    expect(enabled).toBe(false)
    expect(changes).toBe(3)
    start.stop()
    policy = true
    policyChanges.tell()
    expect(enabled).toBe(false)
  })

  it('stays on when the policy no longer sets it, and the user can then turn it off', async () => {
    policy = true
    start.start()
    policy = undefined
    policyChanges.tell()
    expect(shown()).toEqual({ enabled: true, offered: true })
    expect(await set(false)).toEqual(OK)
    expect(enabled).toBe(false)
  })

  it.each([true, false])('SECURITY: can’t be changed by the user if the policy sets it to %s', async (decided) => {
    policy = decided
    start.start()
    expect(await set(!decided)).toEqual(MANAGED)
    expect(await toggle()).toBe(false)
    expect([enabled, asked]).toEqual([decided, undefined])
  })
})

it('if the app can’t start at login, the view has no switch for it, and a call that sets the switch fails', async () => {
  const unset = { setting: settings.of('startAtLogin'), onPolicyChange: policyChanges.subscribe }
  const none = new LoginItemFeature({
    ...unset,
    asked: { get: () => asked, set: () => {} },
    report,
    changed,
    item: undefined,
  })
  const without = new Switches({ settings, desktop: { startAtLogin: none.stored }, apply: {}, report, changed })
  expect(none.view()).toEqual({ offersStartAtLogin: false })
  expect(without.view().switches).not.toHaveProperty('startAtLogin')
  expect(await without.handlers.setSwitch({ name: 'startAtLogin', enabled: true })).toMatchObject({
    ok: false,
    failure: { code: 'notConfigured' },
  })
  expect(await without.toggle('startAtLogin')).toBe(false)
  none.start()
})
