import { expect, it, type Mock, vi } from 'vitest'
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

type Given = ReturnType<ConstructorParameters<typeof Gateways>[0]['settings']['of']>
type Gate = Given['gateway']
const ON: Gate = { isEnabled: true, isLocked: false, port: undefined, methods: 'read' }
const OFF: Gate = { isEnabled: false, isLocked: false, port: undefined, methods: 'read' }

/** The fakes of the gateways, by their connection's name. */
interface Fake {
  state: GatewayState
  config: GatewayConfig | undefined
  apply(config: GatewayConfig | undefined): Promise<void>
  /** Sees the stored records. */
  readonly lockOut: Mock
}

function open(settings: Record<string, Partial<Given>>) {
  const [changes, policyChanges] = [new Listeners(), new Listeners()]
  const stored: { value: unknown } = { value: undefined }
  const made = new Map<string, Fake>()
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
      const gateway: Fake = {
        state: { kind: 'off' },
        config: undefined,
        async apply(config) {
          gateway.config = config
          gateway.state = config === undefined ? { kind: 'off' } : { kind: 'listening', port: config.port }
        },
        lockOut: vi.fn(() => stored.value),
      }
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

it('SECURITY: a gateway that the policy turns off ends at once, and users can’t turn it on', async () => {
  const settings: Record<string, Partial<Given>> = { default: { connection: connectionAt(A), gateway: ON } }
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
  const settings: Record<string, Partial<Given>> = { default: { connection: connectionAt(A, `${A}/v1`), gateway: ON } }
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
  const settings: Record<string, Partial<Given>> = {
    default: { connection: connectionAt(A), gateway: ON },
    staging: { connection: connectionAt('https://b.example.com'), gateway: ON },
    trial: { connection: connectionAt('https://c.example.com'), gateway: OFF },
  }
  const { gateways, made, change } = open(settings)
  await gateways.start()
  expect([...made.keys()]).toEqual(['default', 'staging'])
  expect(made.get('staging')?.config?.port).not.toBe(made.get('default')?.config?.port)
  delete settings['staging']
  await change()
  expect([made.get('staging')?.config, made.get('default')?.config?.dataAddress]).toEqual([undefined, A])
})

it('a new password is copied for five minutes, stored only as a hash, and locks out tools with the earlier password', async () => {
  const settings: Record<string, Partial<Given>> = { default: { gateway: ON } }
  const { gateways, copied, made, stored, session } = open(settings)
  expect(await gateways.handlers.newGatewayPassword()).toMatchObject({ failure: { code: 'notConfigured' } })
  settings['default'] = { connection: connectionAt(A), gateway: ON }
  await gateways.start()
  expect(await gateways.handlers.newGatewayPassword()).toEqual(OK)
  const [[secret, stayMs] = []] = copied
  expect([stayMs, secret?.reveal().length]).toEqual([300_000, 32])
  expect(stored.value).toEqual({ [A]: { port: expect.any(Number), passwordHash: secret && hashOf(secret as never) } })
  expect(made.get('default')?.lockOut).toHaveReturnedWith(stored.value)
  session.isSignedIn = false
  expect(gateways.view().gateway).toMatchObject({ kind: 'signedOut', hasPassword: true })
})

it.each([['x'], [{ [A]: 1 }], [{ [A]: { port: 80, passwordHash: 3 } }]])(
  'damaged gateway records are ignored: %j',
  (value) => {
    const records = new GatewayRecords({ get: () => value, set: () => {} })
    expect(records.of(A)).toEqual({})
    expect(records.of('constructor')).toEqual({})
  },
)
