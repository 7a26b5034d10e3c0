/** What the app and the doctor both stand on: the settings, the keychain, and the way to the network. */

import { hostname } from 'node:os'
import type { KeyValueStore } from './key-value-store.ts'
import { KeytarProcess, type KeytarProcessOptions } from './keychain/keytar-process.ts'
import { loadKeytar } from './keychain/load-keytar.ts'
import { openSecretStore } from './keychain/open.ts'
import { hasOwnProcess } from './keychain/own-process.ts'
import { KeychainProxyCredentials } from './network/keychain-credentials.ts'
import { createNetwork, type NetworkOptions } from './network/network.ts'
import { ProxySignIn } from './network/proxy-sign-in.ts'
import { createHttpClient } from './service/http-client.ts'
import { DeadlineClock, systemTime } from './session/clock.ts'
import type { DestinationChange } from './settings/destination.ts'
import { Confirmation } from './settings/destination.ts'
import { readGuarded } from './settings/guarded-file.ts'
import type { readEnvironment } from './settings/layers.ts'
import { policyPath } from './settings/policy.ts'
import { PolicyFile } from './settings/policy-file.ts'
import type { SettingsProblem } from './settings/problems.ts'
import { Settings } from './settings/settings.ts'
import { UserSettings } from './settings/user-settings.ts'

interface FoundationOptions extends Pick<NetworkOptions, 'resolveProxy' | 'onRoute'> {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** The app's. */
  readonly version: string
  readonly environment: ReturnType<typeof readEnvironment>
  readonly store: KeyValueStore
  readonly forkKeychain: KeytarProcessOptions['fork']
  /** The keychain's child process, if it was started before the rest of the app. */
  readonly firstKeychain?: KeytarProcessOptions['first']
  readonly onPolicyChange?: () => void
  /** Asks the user outside the page whether credentials may go there; without it no such change is made. */
  readonly confirmDestination?: (change: DestinationChange) => Promise<boolean>
  /** The user has told a proxy who is there: what failed of it can be tried again. */
  readonly onProxyLogin?: () => void
}

export type Foundation = ReturnType<typeof layFoundation>

/** Makes all of it, and starts nothing. */
export function layFoundation(options: FoundationOptions) {
  const { platform, env, version, environment, store, forkKeychain, firstKeychain } = options
  const clock = new DeadlineClock(systemTime)
  const user = new UserSettings(store)
  const policy = new PolicyFile({
    path: policyPath(platform, env),
    platform,
    clock,
    onChange: () => {
      network.refresh()
      options.onPolicyChange?.()
    },
  })
  const keytarProcess = hasOwnProcess(platform)
    ? new KeytarProcess({ fork: forkKeychain, first: firstKeychain, clock })
    : undefined
  const openKeychain = () =>
    openSecretStore({
      platform,
      hostname: hostname(),
      clock,
      loadKeytar: () => keytarProcess?.load() ?? loadKeytar(),
      // A session's entry bears the name of its connection. As anywhere, its marker goes before it.
      onMoving: (name) => {
        if (settings.connections.some(({ baseAddress }) => baseAddress === name)) user.set(name, 'stored')
      },
    })
  let opened: ReturnType<typeof openKeychain> | undefined
  const opening = () => {
    opened ??= openKeychain()
    return opened
  }
  const { confirmDestination: ask = async () => false } = options
  const confirmation = new Confirmation({ ask, clock })
  const settings = new Settings({
    policy,
    environment,
    user,
    keychain: async () => (await opening()).store,
    confirm: (change) => confirmation.confirm(change),
  })

  let credentials: Promise<KeychainProxyCredentials> | undefined
  const proxyCredentials = () => {
    credentials ??= opening().then(({ store: kept }) => new KeychainProxyCredentials(kept))
    return credentials
  }
  const network = createNetwork({
    clock,
    env,
    platform,
    resolveProxy: options.resolveProxy,
    credentials: { get: async (proxy) => (await proxyCredentials()).get(proxy) },
    policy: () => policy.reading.tls ?? {},
    readGuarded: (file) => readGuarded(file, platform),
    managedHosts: () => settings.managedHosts,
    ...(options.onRoute && { onRoute: options.onRoute }),
  })
  /** What of the ways to the network is set and can't be used. */
  const networkProblems = async (): Promise<readonly SettingsProblem[]> => {
    const { variable, files } = await network.problems()
    const place = (key: string) => policy.reading.keys?.get(key) ?? { where: policy.path, key }
    return [
      ...(variable === undefined ? [] : [{ source: 'environment', where: variable, problem: 'unusable' } as const]),
      ...files.map(({ key, ...rest }) => ({ source: 'policy', ...place(key), ...rest }) as const),
    ]
  }
  const proxySignIn = new ProxySignIn({
    credentials: proxyCredentials,
    onSaved: () => options.onProxyLogin?.(),
  })
  const client = createHttpClient({ userAgent: `Latchkey/${version}`, clock, ...network.http })
  const http: typeof client = {
    async send(request) {
      const outcome = await client.send(request)
      proxySignIn.note(outcome)
      return outcome
    },
  }

  return {
    platform,
    env,
    version,
    clock,
    user,
    policy,
    settings,
    /** Opens the keychain that the app uses, the first time; `openKeychain` opens it once more, to try it out. */
    opening,
    openKeychain,
    /** Where keytar has one of its own. */
    keytarProcess,
    network,
    networkProblems,
    proxySignIn,
    http,
  }
}
