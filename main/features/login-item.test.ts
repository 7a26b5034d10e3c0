import { expect, it } from 'vitest'
import { appSettings } from '../../test/support/open-settings.ts'
import { Listeners } from '../base/listeners.ts'
import type { AppLayer } from '../settings/layers.ts'
import { LoginItemFeature } from './login-item.ts'

function open(policy: AppLayer = {}, isEnabled = false) {
  const state = { policy, user: {}, isEnabled, writes: 0, asked: undefined as unknown }
  const policyChanges = new Listeners()
  const set = (enabled: boolean) => {
    state.isEnabled = enabled
    state.writes += 1
  }
  const ports = {
    item: { isEnabled: () => state.isEnabled, set, refresh: () => set(state.isEnabled) },
    setting: appSettings(state).of('startAtLogin'),
    onPolicyChange: policyChanges.subscribe,
    asked: { get: () => state.asked, set: (value: unknown) => void Object.assign(state, { asked: value }) },
    report: () => {},
    changed: () => {},
  }
  const feature = new LoginItemFeature(ports)
  const change = (startAtLogin?: boolean) => {
    state.policy = startAtLogin === undefined ? {} : { startAtLogin }
    policyChanges.tell()
    return state.isEnabled
  }
  return { feature, state, ports, change, isOffered: () => feature.view().offersStartAtLogin }
}

it('start at login is offered until the user has turned it on or off, and writes its entry at each start', () => {
  const { feature, state, isOffered } = open()
  feature.start()
  expect([isOffered(), state.writes]).toEqual([true, 0])
  feature.stored?.set(true)
  feature.start()
  expect([isOffered(), feature.stored?.isEnabled(), state.writes]).toEqual([false, true, 2])
})

it.each([true, false])('the policy sets start at login when the app starts, until the feature stops: %s', (decided) => {
  const { feature, state, change, isOffered } = open({ startAtLogin: decided }, !decided)
  feature.start()
  expect([state.isEnabled, isOffered()]).toEqual([decided, false])
  expect(change(!decided)).toBe(!decided)
  expect([change(undefined), isOffered()]).toEqual([!decided, true])
  feature.stop()
  expect(change(decided)).toBe(!decided)
})

it('if the app can’t start at login, this isn’t offered, whatever the policy says', () => {
  const none = new LoginItemFeature({ ...open({ startAtLogin: true }).ports, item: undefined })
  none.start()
  expect([none.view(), none.stored]).toEqual([{ offersStartAtLogin: false }, undefined])
})
