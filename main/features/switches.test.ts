import { beforeEach, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { AppSettings } from '../settings/app-setting.ts'
import type { AppLayer } from '../settings/layers.ts'
import { MANAGED, Switches } from './switches.ts'

let layers: Record<'policy' | 'environment' | 'user', AppLayer>
let desktop: boolean
let hasLoginItem: boolean
let refusal: Error | undefined
let reported: unknown[]
let changes: number
let applying: () => Promise<void>
let switches: Switches

beforeEach(() => {
  layers = { policy: {}, environment: {}, user: {} }
  desktop = false
  hasLoginItem = true
  refusal = undefined
  reported = []
  changes = 0
  applying = async () => {}
  const settings = new AppSettings({
    policy: () => layers.policy,
    get environment() {
      return layers.environment
    },
    user: {
      get app() {
        return { layer: layers.user }
      },
      saveApp: (name, value) => {
        layers.user = { ...layers.user, [name]: value }
      },
    },
  })
  const startAtLogin = {
    isEnabled: () => desktop,
    set: (enabled: boolean) => {
      if (refusal) throw refusal
      desktop = enabled
    },
  }
  switches = new Switches({
    settings,
    desktop: {
      get startAtLogin() {
        return hasLoginItem ? startAtLogin : undefined
      },
    },
    apply: { agent: () => applying() },
    report: (where, error) => reported.push([where, error]),
    changed: () => {
      changes += 1
    },
  })
})

const set = (name: 'agent' | 'startAtLogin', enabled: boolean) => switches.handlers.setSwitch({ name, enabled })
const shown = () => {
  const { agent, startAtLogin } = switches.view().switches
  return { agent, startAtLogin }
}

it('the user’s choice is announced, and stored by the desktop or in the settings', async () => {
  expect(shown()).toEqual({ agent: { enabled: true }, startAtLogin: { enabled: false } })
  expect(await set('agent', false)).toEqual(OK)
  expect(await switches.toggle('startAtLogin')).toBe(true)
  expect([layers.user, desktop, changes]).toEqual([{ agent: false }, true, 2])
  expect(shown()).toEqual({ agent: { enabled: false, source: 'user' }, startAtLogin: { enabled: true } })
})

it.each([
  ['policy', 'agent'],
  ['policy', 'startAtLogin'],
  ['environment', 'agent'],
] as const)('SECURITY: if the %s sets a switch, the page can’t change it: %s', async (source, name) => {
  for (const managed of [true, false]) {
    layers[source] = { [name]: managed }
    desktop = managed
    for (const enabled of [true, false]) expect(await set(name, enabled)).toEqual(MANAGED)
    expect(await switches.toggle(name)).toBe(false)
    expect([layers.user, desktop, changes]).toEqual([{}, managed, 0])
    expect(shown()[name]).toEqual({ enabled: managed, source })
  }
})

it('if a switch can’t be stored, a call from the page or the menu fails, and the error is reported', async () => {
  refusal = new Error('ENOSPC')
  expect(await set('startAtLogin', true)).toEqual({ ok: false, failure: { code: 'settingsUnwritable' } })
  expect(await switches.toggle('startAtLogin')).toBe(false)
  const report = ['startAtLogin', refusal]
  expect([reported, changes, desktop]).toEqual([[report, report], 2, false])
})

it('if a choice is stored but can’t be applied, the call fails, and the view shows the stored choice', async () => {
  const failure = new Error('EADDRINUSE')
  applying = () => Promise.reject(failure)
  await expect(set('agent', false)).rejects.toBe(failure)
  expect([shown().agent, changes]).toEqual([{ enabled: false, source: 'user' }, 1])
  expect(await switches.toggle('agent')).toBe(false)
  expect(reported).toEqual([['agent', failure]])
})

it('a call for a switch that this system doesn’t have fails', async () => {
  hasLoginItem = false
  expect(shown().startAtLogin).toBeUndefined()
  expect(await set('startAtLogin', true)).toMatchObject({ failure: { code: 'notConfigured' } })
})
