import { OK, type Outcome } from '../../contract/failures.ts'
import type { SessionView } from '../../contract/views.ts'
import type { ClientSecret } from '../base/secret.ts'
import { reach } from '../service/auth-service.ts'
import type { Connection } from '../session/connection.ts'
import { ConnectionManager } from '../session/connection-manager.ts'
import { sessionView } from '../session/connection-view.ts'
import type { Grants, TokenOrigin } from '../session/grants/grant.ts'
import { SessionEngine, type SessionPorts } from '../session/session-engine.ts'
import { AddressProbe } from '../settings/address-probe.ts'
import { hostAndPathOf } from '../settings/values.ts'
import { ClientSecrets } from './client-secrets.ts'
import type { Core } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import { type Browser, grantsOf, removedGrantOf } from './grants.ts'

export type Connections = ReturnType<typeof createConnections>

export function createConnections(
  core: Core,
  browser: Browser,
  crashPoints: CrashPoints | undefined,
  onRemoved: (host: string, session: SessionView) => void,
) {
  const { clock, installation, user, settings, callbackPorts, keychain } = core
  callbackPorts.clear()
  const clientSecrets = new ClientSecrets({ keychain, settings, clock })

  const addressProbe = new AddressProbe({ clock, reach: (baseAddress) => reach(core.http, baseAddress) })

  const grantsPorts = { core, browser, crashPoints }
  const grants = (connection: Pick<Connection, 'baseAddress' | 'identityProvider'>): Grants =>
    grantsOf(connection, grantsPorts)
  /** Finds the client's secret in any connection that has it. */
  const secretOf = async ({ issuer, client }: TokenOrigin): Promise<Outcome<ClientSecret | undefined>> => {
    const those = settings.names
      .map((name) => settings.of(name))
      .filter(({ view }) => view.authUrl.value === issuer && view.clientId.value === client)
    const read = await Promise.all(those.map((each) => each.findClientSecret()))
    const secrets = those.map(({ connection }) => connection?.identityProvider?.clientSecret)
    const secret = secrets.find((each) => each !== undefined)
    return secret === undefined ? (read.find(({ ok }) => !ok) ?? OK) : { ok: true, value: secret }
  }
  const sessionAt = (address: string, rest: Pick<SessionPorts, 'grants' | 'store' | 'isRemoved'>): SessionEngine => {
    const storage = { store: rest.store, marker: user }
    const ports = { ...rest, ...(crashPoints?.ports(storage) ?? storage) }
    const removedGrant = (origin: TokenOrigin) => removedGrantOf(origin, address, () => secretOf(origin), grantsPorts)
    const given = { address, installation, removedGrant, lengths: user }
    return new SessionEngine({ ...given, ...ports, clock, random: Math.random })
  }
  const connections = new ConnectionManager({
    settings,
    removed: {
      installation,
      markers: () => user.markers,
      openRemoved(baseAddress) {
        const session = sessionAt(baseAddress, {
          grants: grants({ baseAddress }),
          store: keychain.store(),
          isRemoved: true,
        })
        session.subscribe((state) => onRemoved(hostAndPathOf(baseAddress), sessionView(state, clock)))
        return session
      },
    },
    configured: (name) => settings.of(name).connection,
    prepare: (name, preparation) => clientSecrets.prepare(name, preparation),
    open: (name, connection) =>
      sessionAt(connection.baseAddress, {
        grants: grants(connection),
        store: clientSecrets.storeFor(name, connection),
      }),
    clock,
  })
  clientSecrets.onConnectionChange(() => void connections.start())
  return { connections, clientSecrets, addressProbe }
}
