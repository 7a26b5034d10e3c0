import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppView, GatewayView } from '../../contract/views.ts'
import type { Subscribe } from '../base/listeners.ts'
import type { Secret } from '../base/secret.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type GatewayPassword, hashOf, newPassword } from '../gateway/passwords.ts'
import type { GatewayRecords } from '../gateway/records.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import type { ConnectionSettings } from '../settings/connection-settings.ts'

/** How long the password stays on the clipboard. The user needs time to find the tool's dialog. */
const STAY_MS = 5 * 60_000

type Made = Pick<Gateway, 'state' | 'apply' | 'lockOut'>

interface GatewaysPorts {
  readonly connections: Pick<ConnectionManager, 'names' | 'shown' | 'afterChange'>
  readonly settings: { of(connection: string): Pick<ConnectionSettings, 'connection' | 'gateway'> }
  readonly records: Pick<GatewayRecords, 'of' | 'set' | 'port'>
  readonly make: (name: string) => Made
  readonly isSignedIn: (connection: string) => boolean
  readonly onPolicyChange: Subscribe
  readonly copy: (secret: Secret, stayMs: number) => Promise<void>
  readonly changed: () => void
}

const NOT_CONFIGURED = fail({ code: 'notConfigured' })

export class Gateways {
  readonly #ports: GatewaysPorts
  readonly #made = new Map<string, Made>()
  #undo: readonly (() => void)[] = []
  #isRunning = false

  constructor(ports: GatewaysPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    newGatewayPassword: async () => {
      const { connections, copy } = this.#ports
      const made = this.newPassword(connections.shown)
      if (!made.ok) return made
      await copy(made.value, STAY_MS)
      return OK
    },
  } satisfies Partial<Handlers>

  view(): Pick<AppView, 'gateway'> {
    return { gateway: this.viewOf(this.#ports.connections.shown) }
  }

  async start(): Promise<void> {
    const { connections, onPolicyChange } = this.#ports
    this.#isRunning = true
    // A gateway's address and switch are settings of its connection, so each change of a connection is applied.
    this.#undo = [connections.afterChange(() => void this.#apply()), onPolicyChange(() => void this.#apply())]
    await this.#apply()
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo) undo()
    this.#isRunning = false
    await this.#apply()
  }

  viewOf(connection: string): GatewayView {
    const { settings, isSignedIn } = this.#ports
    const { connection: configured, gateway } = settings.of(connection)
    if (configured === undefined || !gateway.isEnabled) return { kind: gateway.isLocked ? 'forbidden' : 'off' }
    const { state } = this.#gateway(connection)
    if (state.kind !== 'listening') return state
    const { dataAddress = configured.baseAddress, baseAddress } = configured
    const { pathname } = new URL(dataAddress)
    return {
      kind: isSignedIn(connection) ? 'listening' : 'signedOut',
      address: `http://127.0.0.1:${state.port}${pathname === '/' ? '' : pathname}`,
      hasPassword: this.#ports.records.of(baseAddress).passwordHash !== undefined,
    }
  }

  newPassword(connection: string): Outcome<GatewayPassword> {
    const { settings, records, changed } = this.#ports
    const address = settings.of(connection).connection?.baseAddress
    if (address === undefined) return NOT_CONFIGURED
    const password = newPassword()
    records.set(address, { passwordHash: hashOf(password) })
    this.#made.get(connection)?.lockOut()
    changed()
    return { ok: true, value: password }
  }

  async #apply(): Promise<void> {
    const { names } = this.#ports.connections
    const gone = [...this.#made]
      .filter(([name]) => !names.includes(name))
      .map(([, gateway]) => gateway.apply(undefined))
    await Promise.all([...gone, ...names.map((name) => this.#applyTo(name))])
  }

  async #applyTo(name: string): Promise<void> {
    const config = this.#configOf(name)
    // SECURITY: a gateway that was turned off ends at once.
    if (config === undefined) return this.#made.get(name)?.apply(undefined)
    const { address, port = await this.#ports.records.port(address), ...rest } = config
    // SECURITY: the settings may have changed while the port was chosen. If so, the new ones are applied already.
    if (isDeepStrictEqual(this.#configOf(name), config)) await this.#gateway(name).apply({ ...rest, port })
  }

  #configOf(name: string) {
    const { connection, gateway } = this.#ports.settings.of(name)
    if (!this.#isRunning || connection === undefined || !gateway.isEnabled) return undefined
    const { baseAddress: address, dataAddress = address } = connection
    const { methods, port } = gateway
    return { address, dataAddress, methods, ...(port !== undefined && { port }) }
  }

  #gateway(name: string): Made {
    const gateway = this.#made.get(name) ?? this.#ports.make(name)
    this.#made.set(name, gateway)
    return gateway
  }
}
