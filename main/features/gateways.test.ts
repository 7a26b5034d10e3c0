import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { Listeners } from '../base/listeners.ts'
import type { Secret } from '../base/secret.ts'
import type { GatewayConfig, GatewayState } from '../gateway/gateway.ts'
import { hashOf } from '../gateway/passwords.ts'
import { GatewayRecords } from '../gateway/records.ts'
import { Gateways } from './gateways.ts'

const A = 'https://a.example.com'
const connectionAt = (baseAddress: string, dataAddress?: string) => ({
  ...{ baseAddress, host: 'a.example.com', source: 'user' as const },
  ...(dataAddress && { dataAddress }),
})

class FakeGateway {
  state: GatewayState = { kind: 'off' }
  config: GatewayConfig | undefined
  /** The stored records at the time of each call of `lockOut`. */
  readonly lockedOut: unknown[] = []
  readonly #stored: { readonly value: unknown }
  constructor(stored: { readonly value: unknown }) {
    this.#stored = stored
  }
  async apply(config: GatewayConfig | undefined): Promise<void> {
    this.config = config
    this.state = config === undefined ? { kind: 'off' } : { kind: 'listening', port: config.port }
  }
  lockOut(): void {
    this.lockedOut.push(this.#stored.value)
  }
}

interface Gate {
  readonly isEnabled: boolean
  readonly isLocked: boolean
  readonly port: number | undefined
  readonly methods: 'read' | 'all'
}
interface Given {
  readonly connection?: ReturnType<typeof connectionAt>
  readonly gateway: Gate
}
const ON: Gate = { isEnabled: true, isLocked: false, port: undefined, methods: 'read' }
const OFF: Gate = { isEnabled: false, isLocked: false, port: undefined, methods: 'read' }

function open(settings: Record<string, Given>) {
  const [changes, policyChanges] = [new Listeners(), new Listeners()]
  const stored: { value: unknown } = { value: undefined }
  const made = new Map<string, FakeGateway>()
  const copied: [Secret, number][] = []
  const session = { isSignedIn: true }
  const gateways = new Gateways({
    connections: {
      get names() {
        return Object.keys(settings)
      },
      shown: 'default',
      afterChange: changes.subscribe,
    },
    settings: { of: (name) => ({ connection: undefined, gateway: OFF, ...settings[name] }) },
    records: new GatewayRecords({
      get: () => stored.value,
      set: (value) => {
        stored.value = value
      },
    }),
    make: (name) => {
      const gateway = new FakeGateway(stored)
      made.set(name, gateway)
      return gateway
    },
    isSignedIn: () => session.isSignedIn,
    onPolicyChange: policyChanges.subscribe,
    copy: async (secret, stayMs) => void copied.push([secret, stayMs]),
    changed: () => {},
  })
  const change = async (listeners = changes) => {
    listeners.tell()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { gateways, stored, made, copied, session, change, policyChanges }
}

it('the gateway is off by default: nothing listens, and no port is chosen', async () => {
  const { gateways, made, stored } = open({ default: { connection: connectionAt(A), gateway: OFF } })
  await gateways.start()
  expect([gateways.view().gateway, made.size, stored.value]).toEqual([{ kind: 'off' }, 0, undefined])
})

it('SECURITY: a gateway that the policy turns off ends at once, and users can’t turn it on', async () => {
  const settings: Record<string, Given> = { default: { connection: connectionAt(A), gateway: ON } }
  const { gateways, made, change, policyChanges } = open(settings)
  await gateways.start()
  expect(made.get('default')?.config).toBeDefined()
  settings['default'] = { connection: connectionAt(A), gateway: { ...OFF, isLocked: true } }
  policyChanges.tell()
  expect(made.get('default')?.config).toBeUndefined()
  await change()
  expect(gateways.view().gateway).toEqual({ kind: 'forbidden' })
})

it('the port is chosen once and then kept, unless the settings name one', async () => {
  const settings: Record<string, Given> = { default: { connection: connectionAt(A, `${A}/v1`), gateway: ON } }
  const { gateways, made, change, stored } = open(settings)
  await gateways.start()
  const port = made.get('default')?.config?.port ?? 0
  expect(port).toBeGreaterThanOrEqual(20_000)
  expect(port).toBeLessThan(32_000)
  expect(made.get('default')?.config).toEqual({ dataAddress: `${A}/v1`, methods: 'read', port })
  expect(gateways.view().gateway).toEqual({
    kind: 'listening',
    address: `http://127.0.0.1:${port}/v1`,
    hasPassword: false,
  })
  await gateways.stop()
  expect(made.get('default')?.config).toBeUndefined()
  await gateways.start()
  expect(made.get('default')?.config?.port).toBe(port)
  settings['default'] = { connection: connectionAt(A), gateway: { ...ON, port: 47_114, methods: 'all' } }
  await change()
  expect(made.get('default')?.config).toEqual({ dataAddress: A, methods: 'all', port: 47_114 })
  expect(stored.value).toMatchObject({ [A]: { port } })
})

it('each connection has its own gateway, which ends when the connection is removed', async () => {
  const settings: Record<string, Given> = {
    default: { connection: connectionAt(A), gateway: ON },
    staging: { connection: connectionAt('https://b.example.com'), gateway: ON },
  }
  const { gateways, made, change } = open(settings)
  await gateways.start()
  expect(made.get('staging')?.config?.port).not.toBe(made.get('default')?.config?.port)
  delete settings['staging']
  await change()
  expect([made.get('staging')?.config, made.get('default')?.config?.dataAddress]).toEqual([undefined, A])
})

it('a new password is copied for five minutes, stored only as a hash, and locks out tools with the earlier password', async () => {
  const { gateways, copied, made, stored, session } = open({ default: { connection: connectionAt(A), gateway: ON } })
  await gateways.start()
  expect(await gateways.handlers.newGatewayPassword()).toEqual(OK)
  const [[secret, stayMs] = []] = copied
  expect([stayMs, secret?.reveal().length]).toEqual([300_000, 32])
  expect(stored.value).toEqual({ [A]: { port: expect.any(Number), passwordHash: secret && hashOf(secret as never) } })
  expect(made.get('default')?.lockedOut).toEqual([stored.value])
  session.isSignedIn = false
  expect(gateways.view().gateway).toMatchObject({ kind: 'signedOut', hasPassword: true })
})

it('without a service, no gateway password can be made', async () => {
  const { gateways, copied } = open({ default: { gateway: ON } })
  expect(await gateways.handlers.newGatewayPassword()).toMatchObject({ failure: { code: 'notConfigured' } })
  expect(copied).toEqual([])
})

it.each([[null], ['x'], [[1]], [{ [A]: 1 }], [{ [A]: { port: 80, passwordHash: 3 } }], [{ ['__proto__']: {} }]])(
  'damaged gateway records are ignored: %j',
  (value) => {
    const records = new GatewayRecords({ get: () => value, set: () => {} })
    expect(records.of(A)).toEqual({})
    expect(records.of('constructor')).toEqual({})
  },
)
