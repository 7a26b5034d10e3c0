import { fail, OK } from '../../contract/failures.ts'
import { entryText } from '../../main/base/secret.ts'
import { MemoryStore } from '../../main/keychain/fallback-store.ts'
import { AppSettings } from '../../main/settings/app-setting.ts'
import { type DestinationChange, NOT_CONFIRMED } from '../../main/settings/destination.ts'
import type { AppLayer, Layer } from '../../main/settings/layers.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { Settings } from '../../main/settings/settings.ts'
import { UserSettings } from '../../main/settings/user-settings.ts'

export interface Sources {
  readonly policy?: object
  readonly environment?: Layer
  readonly environmentApp?: AppLayer
  readonly own?: Record<string, unknown>
}

export const provider = {
  authUrl: 'https://login.example.com',
  scope: 'openid',
  audience: 'https://data.example.com/api',
  clientId: 'latchkey',
}

export const appSettings = (layers: { readonly policy: AppLayer; readonly environment?: AppLayer; user: AppLayer }) =>
  new AppSettings({
    policy: () => layers.policy,
    get environment() {
      return layers.environment ?? {}
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

export function openSettings({ policy = {}, environment = {}, environmentApp = {}, own = {} }: Sources = {}) {
  const content = structuredClone(own)
  const state = {
    isDiskFull: false,
    isKeychainBroken: false,
    isConfirmed: true,
    meanwhile: async () => {},
  }
  const parse = (json: object) => parsePolicy('policy.json', JSON.stringify(json))
  const places = { reading: parse(policy) }
  const keychain = new MemoryStore()
  const changed = async (change: () => Promise<typeof OK>) =>
    state.isKeychainBroken ? fail({ code: 'keychainUnavailable' }) : change()
  const asked: DestinationChange[] = []
  const settings = new Settings({
    policy: places,
    environment: { layer: environment, app: environmentApp, problems: [] },
    user: new UserSettings({
      get: (key) => content[key],
      set: (key, value) => {
        if (state.isDiskFull) throw new Error('ENOSPC')
        content[key] = value
      },
    }),
    secrets: {
      read: async (name) => (state.isKeychainBroken ? { kind: 'locked' } : keychain.read(name)),
      write: (name, value) => changed(() => keychain.write(name, value)),
      delete: (name) => changed(() => keychain.delete(name)),
    },
    confirm: async (change, probe) => {
      asked.push(change)
      await state.meanwhile()
      return state.isConfirmed ? (probe?.() ?? OK) : NOT_CONFIRMED
    },
  })
  return {
    settings,
    content,
    state,
    asked,
    setPolicy: (json: object) => {
      places.reading = parse(json)
    },
    put: (name: string, value: string) => keychain.write(name, entryText(value)),
    held: () => Object.fromEntries([...keychain.held].map(([name, value]) => [name, value.reveal()])),
  }
}
