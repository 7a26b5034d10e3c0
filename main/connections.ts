/** The connections with their sessions, on the settings, the keychain and the network of this desktop. */
import type { Core } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import type { OpenedKeychain } from './keychain/open.ts'
import { createAuthService } from './service/auth-service.ts'
import { createIdentityProvider } from './service/identity-provider.ts'
import { Connections } from './session/connections.ts'
import { NamedConnection } from './session/named-connection.ts'
import type { AuthServices, SecretStore } from './session/ports.ts'
import { Session, type SessionPorts } from './session/session.ts'
import { within } from './session/within.ts'
import { lockedUntil } from './settings/client-secret.ts'
import { type Connection, connectionView, isSameConnection } from './settings/connection.ts'

/** How long the form waits for a client secret that it has a use for, of a keychain that works: milliseconds. */
const SECRET_PATIENCE = 1_000

/** Starts nothing: what a person sees doesn't wait for the keychain. */
export function createConnections(core: Core, crashPoints: CrashPoints | undefined) {
  const { clock, user, settings, openedKeychain, http } = core
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
  const services = ({
    baseAddress,
    identityProvider: provider,
  }: Pick<Connection, 'baseAddress' | 'identityProvider'>): AuthServices => {
    const service = createAuthService({ baseAddress, http })
    const password = crashPoints?.service(service) ?? service
    if (provider === undefined) return { password }
    return { password, sso: createIdentityProvider({ ...provider, authAddress: provider.authUrl, http }) }
  }
  const sessionAt = (name: string, rest: Pick<SessionPorts, 'services' | 'store' | 'isLeft'>): Session => {
    const storage = { store: rest.store, marker: user }
    const ports = { ...rest, ...(crashPoints?.ports(storage) ?? storage) }
    const earlierProvider = user.earlierProviders[name]
    return new Session({ name, earlierProvider, ...ports, clock, random: Math.random })
  }
  const keychainStore = (): SecretStore => {
    if (keychain === undefined) throw new Error('no session before the keychain')
    return keychain.store
  }
  const openSession = (name: string, connection: Connection): Session => {
    // The client secret may come when the session is open already: it makes another connection of it.
    const isReady = async () => {
      const own = settings.of(name)
      if (own.usesClientSecret) await own.findClientSecret()
      const isStill = isSameConnection(settings.of(name).connection, connection)
      if (!isStill) void connections.start()
      return isStill
    }
    const store = lockedUntil(keychainStore(), isReady)
    return sessionAt(connection.baseAddress, { services: services(connection), store })
  }
  const openLeft = (baseAddress: string): Session =>
    sessionAt(baseAddress, { services: services({ baseAddress }), store: keychainStore(), isLeft: true })
  const connections = new Connections<Connection>({
    settings,
    left: { markers: () => user.markers, openLeft },
    make: (name, around) =>
      new NamedConnection({
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
