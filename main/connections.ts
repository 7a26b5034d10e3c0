/** The connections with their sessions, on the settings, the keychain and the network of this desktop. */
import type { Core } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import type { OpenedKeychain } from './keychain/open.ts'
import { createAuthService } from './service/auth-service.ts'
import { createIdentityProvider } from './service/identity-provider.ts'
import { ConnectionManager } from './session/connection-manager.ts'
import { ConnectionSession } from './session/connection-session.ts'
import type { Grants } from './session/grants/grant.ts'
import { createGrants } from './session/grants/registry.ts'
import type { SecretStore } from './session/ports.ts'
import { SessionEngine, type SessionPorts } from './session/session-engine.ts'
import { within } from './session/within.ts'
import { lockedUntil } from './settings/client-secret.ts'
import { type Connection, connectionView, isSameConnection } from './settings/connection.ts'

/** How long the form waits for a client secret that it has a use for, of a keychain that works: milliseconds. */
const SECRET_PATIENCE = 1_000

/** Starts nothing: what a person sees doesn't wait for the keychain. */
export function createConnections(core: Core, crashPoints: CrashPoints | undefined) {
  const { clock, installation, user, settings, openedKeychain, http } = core
  settings.recordProviders()
  let keychain: OpenedKeychain | undefined
  let prepared: Promise<unknown> = Promise.resolve()
  const prepare = (name: string, onRead: () => void): Promise<void> => {
    const preparing = readKeychain(name, onRead)
    prepared = Promise.all([prepared, preparing])
    return preparing
  }
  const readKeychain = async (name: string, onRead: () => void): Promise<void> => {
    keychain = await openedKeychain()
    const own = settings.of(name)
    const before = own.connection
    if (!own.usesClientSecret) {
      // All that it is good for is to be shown among the settings.
      void connections
        .restored()
        .then(() => own.findClientSecret())
        .then(onRead)
      return
    }
    const patience = keychain.hasAnswered ? SECRET_PATIENCE : 0
    const reading = own.readClientSecret().then(() => 'read')
    if ((await within(clock, patience, reading, 'late')) === 'read') return
    void reading.then(() => {
      if (!isSameConnection(own.connection, before)) void connections.start()
    })
  }
  const grants = ({
    baseAddress,
    identityProvider: provider,
  }: Pick<Connection, 'baseAddress' | 'identityProvider'>): Grants => {
    const service = createAuthService({ baseAddress, http })
    const identityProvider = provider && createIdentityProvider({ ...provider, authAddress: provider.authUrl, http })
    return createGrants({ service: crashPoints?.service(service) ?? service, identityProvider })
  }
  const sessionAt = (address: string, rest: Pick<SessionPorts, 'grants' | 'store' | 'isLeft'>): SessionEngine => {
    const storage = { store: rest.store, marker: user }
    const ports = { ...rest, ...(crashPoints?.ports(storage) ?? storage) }
    const earlierProvider = user.earlierProviders[address]
    return new SessionEngine({ address, installation, earlierProvider, ...ports, clock, random: Math.random })
  }
  const keychainStore = (): SecretStore => {
    if (keychain === undefined) throw new Error('no session before the keychain')
    return keychain.store
  }
  const openSession = (name: string, connection: Connection): SessionEngine => {
    // The client secret may come when the session is open already: it makes another connection of it.
    const isReady = async () => {
      const own = settings.of(name)
      if (own.usesClientSecret) await own.findClientSecret()
      const isStill = isSameConnection(settings.of(name).connection, connection)
      if (!isStill) void connections.start()
      return isStill
    }
    const store = lockedUntil(keychainStore(), isReady)
    return sessionAt(connection.baseAddress, { grants: grants(connection), store })
  }
  const openLeft = (baseAddress: string): SessionEngine =>
    sessionAt(baseAddress, { grants: grants({ baseAddress }), store: keychainStore(), isLeft: true })
  const connections = new ConnectionManager<Connection>({
    settings,
    left: { installation, markers: () => user.markers, openLeft },
    make: (name, around) =>
      new ConnectionSession({
        ...around,
        settings: {
          connection: () => settings.of(name).connection,
          view: connectionView,
          isSame: isSameConnection,
          save: (input) => settings.of(name).save(input),
          check: (input) => settings.of(name).check(input),
        },
        prepare: () => prepare(name, around.onChange),
        open: (connection) => openSession(name, connection),
        // A user's own step may raise the keychain's unlock prompt once more.
        onStep: () => keychain?.allowPrompts(),
        clock,
      }),
  })

  return {
    connections,
    /** Resolves when no reading of a client secret is under way. */
    prepared: () => prepared,
    isKeychainBusy: () => keychain?.busy() ?? false,
    /** Whether a client secret of the user's own is in memory alone, and gone with the app. */
    losesClientSecret: () => keychain !== undefined && settings.loseClientSecret(keychain.store),
  }
}
