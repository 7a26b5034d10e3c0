import { beforeEach, expect, it, vi } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { appSettings } from '../../test/support/open-settings.ts'
import type { AppLayer } from '../settings/layers.ts'
import { MANAGED, type StoredSwitch, Switches } from './switches.ts'

let layers: Record<'policy' | 'environment' | 'user', AppLayer>
let desktop: { startAtLogin?: StoredSwitch }
let isEnabled: boolean
const apply = { agent: vi.fn(async () => {}) }
const [report, changed] = [vi.fn(), vi.fn()]
let switches: Switches

beforeEach(() => {
  vi.clearAllMocks()
  layers = { policy: {}, environment: {}, user: {} }
  isEnabled = false
  const set = (enabled: boolean) => {
    isEnabled = enabled
  }
  desktop = { startAtLogin: { isEnabled: () => isEnabled, set } }
  switches = new Switches({ settings: appSettings(layers), desktop, apply, report, changed })
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
  expect(layers.user).toEqual({ agent: false })
  expect(changed).toHaveBeenCalledTimes(2)
  expect(shown()).toEqual({ agent: { enabled: false, source: 'user' }, startAtLogin: { enabled: true } })
})

it.each([
  ['policy', 'agent'],
  ['policy', 'startAtLogin'],
  ['environment', 'agent'],
] as const)('SECURITY: if the %s sets a switch, the page can’t change it: %s', async (source, name) => {
  for (const managed of [true, false]) {
    layers[source] = { [name]: managed }
    isEnabled = managed
    for (const enabled of [true, false]) expect(await set(name, enabled)).toEqual(MANAGED)
    expect(await switches.toggle(name)).toBe(false)
    expect([layers.user, isEnabled]).toEqual([{}, managed])
    expect(shown()[name]).toEqual({ enabled: managed, source })
  }
})

it('if a switch can’t be stored or isn’t available, a call from the page or the menu fails', async () => {
  const refusal = new Error('ENOSPC')
  const refuse = () => {
    throw refusal
  }
  Object.assign(desktop.startAtLogin ?? {}, { set: refuse })
  expect(await set('startAtLogin', true)).toMatchObject({ failure: { code: 'settingsUnwritable' } })
  expect(await switches.toggle('startAtLogin')).toBe(false)
  expect(report.mock.calls).toEqual([
    ['startAtLogin', refusal],
    ['startAtLogin', refusal],
  ])
  delete desktop.startAtLogin
  expect(shown().startAtLogin).toBeUndefined()
  expect(await set('startAtLogin', true)).toMatchObject({ failure: { code: 'notConfigured' } })
})

it('if a choice is stored but can’t be applied, the call fails, and the view shows the stored choice', async () => {
  const failure = new Error('EADDRINUSE')
  apply.agent.mockRejectedValueOnce(failure)
  await expect(set('agent', false)).rejects.toBe(failure)
  expect(shown().agent).toEqual({ enabled: false, source: 'user' })
  expect(changed).toHaveBeenCalledOnce()
  apply.agent.mockRejectedValueOnce(failure)
  expect(await switches.toggle('agent')).toBe(false)
  expect(report.mock.calls).toEqual([['agent', failure]])
})
