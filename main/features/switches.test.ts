import { beforeEach, describe, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { AppSettings } from '../settings/app-setting.ts'
import type { AppLayer } from '../settings/layers.ts'
import { MANAGED, Switches } from './switches.ts'

let layers: Record<'policy' | 'environment' | 'user', AppLayer>
let desktop: boolean
let refusal: Error | undefined
let told: string[]
let reported: unknown[]
let changes: number
let applying: () => Promise<void>
let switches: Switches

beforeEach(() => {
  layers = { policy: {}, environment: {}, user: {} }
  desktop = false
  refusal = undefined
  told = []
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
  switches = new Switches({
    settings,
    desktop: {
      startAtLogin: {
        isEnabled: () => desktop,
        set: (enabled) => {
          if (refusal) throw refusal
          desktop = enabled
        },
      },
    },
    apply: {
      agent: async () => {
        await applying()
        told.push(`agent ${settings.of('agent').value}`)
      },
    },
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

it('the view shows the state of each switch, and whether the policy, the environment or the user has set it', () => {
  expect(shown()).toEqual({ agent: { enabled: true }, startAtLogin: { enabled: false } })
  layers = { policy: { agent: false }, environment: { startAtLogin: true }, user: { agent: true } }
  expect(shown()).toEqual({
    agent: { enabled: false, source: 'policy' },
    startAtLogin: { enabled: false, source: 'environment' },
  })
})

it('the user’s choice is announced, and stored by the desktop or in the settings', async () => {
  expect(await set('agent', false)).toEqual(OK)
  expect(await set('startAtLogin', true)).toEqual(OK)
  expect([layers.user, desktop, changes]).toEqual([{ agent: false }, true, 2])
  expect(shown()).toEqual({ agent: { enabled: false, source: 'user' }, startAtLogin: { enabled: true } })
})

describe.each(['policy', 'environment'] as const)('if the %s sets a switch', (source) => {
  it.each(['agent', 'startAtLogin'] as const)('SECURITY: the page can’t change it: %s', async (name) => {
    for (const managed of [true, false]) {
      layers[source] = { [name]: managed }
      desktop = managed
      for (const enabled of [true, false]) expect(await set(name, enabled)).toEqual(MANAGED)
      expect(await switches.toggle(name)).toBe(false)
      expect([layers.user, desktop, told, changes]).toEqual([{}, managed, [], 0])
    }
  })
})

it('if a switch can’t be stored, a call from the page or the menu fails, and the error is reported', async () => {
  refusal = new Error('ENOSPC')
  expect(await set('startAtLogin', true)).toEqual({ ok: false, failure: { code: 'settingsUnwritable' } })
  expect(changes).toBe(1)
  expect(await switches.toggle('startAtLogin')).toBe(false)
  const report = ['startAtLogin', refusal]
  expect([reported, changes, desktop]).toEqual([[report, report], 2, false])
})

it('if a choice is stored but can’t be applied, the page’s call fails, and the view shows the stored choice', async () => {
  const failure = new Error('EADDRINUSE')
  applying = () => Promise.reject(failure)
  await expect(set('agent', false)).rejects.toBe(failure)
  expect([shown().agent, changes]).toEqual([{ enabled: false, source: 'user' }, 1])
})
