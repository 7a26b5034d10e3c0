import type { DeadlineClock } from '../base/clock.ts'
import { type KeyValueStore, remembered } from '../base/key-value-store.ts'
import { Listeners } from '../base/listeners.ts'
import { GatewayRecords } from '../gateway/records.ts'
import { EntryBackup } from '../keychain/entry-backup.ts'
import { Keychain, type SystemKeychain } from '../keychain/open.ts'
import { createNetwork, type Network, type NetworkOptions } from '../network/network.ts'
import { KeychainProxyCredentials } from '../network/proxy-credentials.ts'
import { createHttpClient, type HttpClient } from '../service/http-client.ts'
import { addressOfEntry } from '../session/entry.ts'
import { CallbackPorts } from '../settings/callback-ports.ts'
import { Confirmation, type DestinationChange } from '../settings/destination.ts'
import { readGuarded } from '../settings/guarded-file.ts'
import type { EnvironmentReading } from '../settings/layers.ts'
import type { PolicyPlace } from '../settings/policy-places.ts'
import { PolicyWatch } from '../settings/policy-watch.ts'
import type { SettingsProblem } from '../settings/problems.ts'
import { Settings } from '../settings/settings.ts'
import { UserSettings } from '../settings/user-settings.ts'
import type { Paths } from './host-system.ts'

export interface CorePorts extends Pick<NetworkOptions, 'resolveProxy'> {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly clock: DeadlineClock
  readonly paths: Pick<Paths, 'policyFile' | 'installation'>
  readonly policyPlaces: readonly PolicyPlace[]
  readonly environment: EnvironmentReading
  readonly store: KeyValueStore
  readonly storeProblems: readonly SettingsProblem[]
  readonly systemKeychain: SystemKeychain
  /** Asks the user in a native dialog whether credentials may be sent to the new destination. */
  readonly confirmDestination: (change: DestinationChange) => Promise<boolean>
}

export type Core = ReturnType<typeof createCore>

export function createCore(ports: CorePorts, onRoute?: NetworkOptions['onRoute']) {
  const { platform, env, version, clock, systemKeychain, storeProblems } = ports
  const { installation } = ports.paths

  const user = new UserSettings(ports.store)
  const policyChanges = new Listeners()
  const policy = new PolicyWatch({
    places: ports.policyPlaces,
    path: ports.paths.policyFile,
    clock,
    onChange: policyChanges.tell,
  })

  const keychain = new Keychain(() => systemKeychain.open((name) => addressOfEntry(name, installation) !== undefined))
  const ownSecrets = new EntryBackup(keychain.store(), clock)

  const confirmation = new Confirmation({ ask: ports.confirmDestination, clock })
  const settings = new Settings({
    policy,
    environment: ports.environment,
    user,
    secrets: ownSecrets,
    confirm: (change, probe) => confirmation.confirm(change, probe),
  })

  const proxyCredentials = new KeychainProxyCredentials(ownSecrets)
  const userAgent = `Latchkey/${version}`
  const network = createNetwork({
    userAgent,
    clock,
    env,
    platform,
    resolveProxy: ports.resolveProxy,
    credentials: proxyCredentials,
    policy: () => policy.reading.tls ?? {},
    readGuarded: (file) => readGuarded(file, platform),
    managedHosts: () => settings.managedHosts,
    ...(onRoute && { onRoute }),
  })
  policyChanges.subscribe(() => network.refresh())

  const outcomes = new Listeners<Awaited<ReturnType<HttpClient['send']>>>()
  const { send, open } = createHttpClient({ userAgent, clock, onOutcome: outcomes.tell, ...network.http })

  return {
    platform,
    env,
    version,
    userAgent,
    installation,
    clock,
    user,
    callbackPorts: new CallbackPorts(remembered(ports.store, 'callbackPorts')),
    policy,
    onPolicyChange: policyChanges.subscribe,
    settings,
    settingsProblems: () => [...storeProblems, ...settings.problems],
    systemKeychain,
    keychain,
    ownSecrets,
    proxyCredentials,
    network,
    resolveProxy: ports.resolveProxy,
    gatewayRecords: new GatewayRecords(remembered(ports.store, 'gateways')),
    networkProblems: () => networkProblems(network, policy),
    http: { send },
    /** Sends a request. The caller reads the response while it arrives. */
    open,
    /** Calls the listener with each request's result. Returns a function that removes the listener. */
    onRequest: outcomes.subscribe,
  }
}

async function networkProblems(network: Network, policy: PolicyWatch): Promise<readonly SettingsProblem[]> {
  const { variable, files } = await network.problems()
  const keyInPolicy = (key: string) => policy.reading.keys?.get(key) ?? { where: policy.path, key }
  return [
    ...(variable === undefined ? [] : [{ source: 'environment', where: variable, problem: 'unusable' } as const]),
    ...files.map(({ key, ...rest }) => ({ source: 'policy', ...keyInPolicy(key), ...rest }) as const),
  ]
}
