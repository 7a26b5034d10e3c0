/** For tests: the core and the connections, with the test's settings and keychain. */
import { OK } from '../../../contract/failures.ts'
import { createConnections } from '../../../main/app/connections.ts'
import { createCore } from '../../../main/app/core.ts'
import type { Browser } from '../../../main/app/grants.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import type { SecretStore } from '../../../main/session/ports.ts'

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

export const INSTALLATION = 'here'

interface Installation {
  /** The settings by key, as in the settings file. */
  readonly settings: Map<string, unknown>
  readonly keychain: SecretStore
  readonly openBrowser?: Browser['open']
  readonly onRemoved?: Parameters<typeof createConnections>[3]
}

export function openConnections({ settings, keychain, openBrowser = async () => OK, onRemoved }: Installation) {
  const opened = {
    probe: async () => ({ kind: 'works' }) as const,
    state: { kind: 'unavailable', cause: 'silent' } as const,
    busy: () => false,
  }
  const core = createCore({
    platform: 'linux',
    env: {},
    version: '1.2.3',
    clock: new DeadlineClock(systemTime),
    paths: { policyFile: '/nowhere/policy.json', installation: INSTALLATION },
    policyPlaces: [],
    environment: { layer: {}, app: {}, problems: [] },
    store: { get: (key) => settings.get(key), set: (key, value) => void settings.set(key, value) },
    storeProblems: [],
    systemKeychain: {
      open: async () => ({ ...opened, store: keychain, allowPrompts: () => {} }),
      watch: () => () => {},
      stop: () => {},
      isInProcess: false,
    },
    resolveProxy: async () => 'DIRECT',
    confirmDestination: async () => false,
  })
  const browser = { open: openBrowser, onReturn: () => {}, page: NO_PAGE }
  return createConnections(core, browser, undefined, onRemoved).connections
}
