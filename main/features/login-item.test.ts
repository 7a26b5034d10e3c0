import { beforeEach, expect, it } from 'vitest'
import { Listeners } from '../base/listeners.ts'
import { AppSettings } from '../settings/app-setting.ts'
import { type LoginItem, LoginItemFeature } from './login-item.ts'

let enabled: boolean
let writes: number
let asked: unknown
let policy: boolean | undefined
let policyChanges: Listeners
let start: LoginItemFeature

const open = (item: LoginItem | undefined) =>
  new LoginItemFeature({
    item,
    setting: new AppSettings({
      policy: () => (policy === undefined ? {} : { startAtLogin: policy }),
      environment: {},
      user: { app: { layer: {} }, saveApp: () => {} },
    }).of('startAtLogin'),
    onPolicyChange: policyChanges.subscribe,
    asked: {
      get: () => asked,
      set: (value) => {
        asked = value
      },
    },
    report: () => {},
    changed: () => {},
  })
const isOffered = () => start.view().offersStartAtLogin

beforeEach(() => {
  enabled = false
  writes = 0
  asked = undefined
  policy = undefined
  policyChanges = new Listeners()
  start = open({
    isEnabled: () => enabled,
    set(wanted) {
      enabled = wanted
      writes += 1
    },
    refresh() {
      writes += 1
    },
  })
})

it('start at login is offered until the user has turned it on or off, and writes its entry at each start', () => {
  start.start()
  expect([isOffered(), writes]).toEqual([true, 0])
  start.stored?.set(true)
  start.start()
  expect([isOffered(), start.stored?.isEnabled(), writes]).toEqual([false, true, 2])
})

it.each([true, false])('the policy sets start at login when the app starts, until the feature stops: %s', (decided) => {
  policy = decided
  enabled = !decided
  start.start()
  expect([enabled, isOffered()]).toEqual([decided, false])
  policy = !decided
  policyChanges.tell()
  expect(enabled).toBe(!decided)
  policy = undefined
  policyChanges.tell()
  expect([enabled, isOffered()]).toEqual([!decided, true])
  start.stop()
  policy = decided
  policyChanges.tell()
  expect(enabled).toBe(!decided)
})

it('if the app can’t start at login, this isn’t offered, whatever the policy says', () => {
  policy = true
  const none = open(undefined)
  none.start()
  expect([none.view(), none.stored]).toEqual([{ offersStartAtLogin: false }, undefined])
})
