import { expect, it, type Mock, vi } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { Listeners } from '../base/listeners.ts'
import type { Secret } from '../base/secret.ts'
import type { GatewayConfig, GatewayState } from '../gateway/gateway.ts'
import { hashOf } from '../gateway/passwords.ts'
import { GatewayRecords } from '../gateway/records.ts'
import { Gateways } from './gateways.ts'

const A = 'https://a.example.com'
const connectionAt = (baseAddress: string) => ({ baseAddress, host: 'a.example.com', source: 'user' as const })

type Given = ReturnType<ConstructorParameters<typeof Gateways>[0]['settings']['of']>
const ON: Given['gateway'] = { isEnabled: true, isLocked: false, port: undefined, methods: 'read' }
const OFF: Given['gateway'] = { ...ON, isEnabled: false }

interface Fake {
  state: GatewayState
  config: GatewayConfig | undefined
  apply(config: GatewayConfig | undefined): Promise<void>
  readonly lockOut: Mock
}

function open(settings: Record<string, Partial<Given>>) {
  const [changes, policyChanges] = [new Listeners(), new Listeners()]
  const stored = new Map<string, unknown>()
  const made: Record<string, Fake> = {}
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
    records: new GatewayRecords({ get: () => stored.get(''), set: (value) => void stored.set('', value) }),
    make: (name) => {
      const gateway: Fake = {
        state: { kind: 'off' },
        config: undefined,
        async apply(config) {
          gateway.config = config
          gateway.state = config === undefined ? { kind: 'off' } : { kind: 'listening', port: config.port }
        },
        lockOut: vi.fn(() => stored.get('')),
      }
      made[name] = gateway
      return gateway
    },
    isSignedIn: () => session.isSignedIn,
    onPolicyChange: policyChanges.subscribe,
    copy: async (secret, stayMs) => void copied.push([secret, stayMs]),
    changed: () => {},
  })
  const change = async () => {
    changes.tell()
    await settle()
  }
  return { gateways, records: () => stored.get(''), made, copied, session, change, policyChanges }
}

it('SECURITY: a gateway that the policy turns off ends at once, and users can’t turn it on', async () => {
  const settings: Record<string, Partial<Given>> = { default: { connection: connectionAt(A), gateway: ON } }
  const { gateways, made, policyChanges } = open(settings)
  await gateways.start()
  expect(made['default']?.config).toBeDefined()
  settings['default'] = { connection: connectionAt(A), gateway: { ...OFF, isLocked: true } }
  policyChanges.tell()
  expect([made['default']?.config, gateways.view().gateway]).toEqual([undefined, { kind: 'forbidden' }])
})

it('SECURITY: if the settings change while a port is chosen, only the new ones apply', async () => {
  const settings: Record<string, Partial<Given>> = {
    default: { connection: connectionAt(A), gateway: { ...ON, methods: 'all' } },
  }
  const { gateways, made, policyChanges } = open(settings)
  const started = gateways.start()
  settings['default'] = { connection: connectionAt(A), gateway: { ...ON, port: 47_114 } }
  policyChanges.tell()
  await started
  expect(made['default']?.config).toMatchObject({ methods: 'read', port: 47_114 })
})

it('each gateway that is on keeps its port, unless the settings name one, until its connection is removed', async () => {
  const settings: Record<string, Partial<Given>> = {
    default: { connection: { ...connectionAt(A), dataAddress: `${A}/v1` }, gateway: ON },
    staging: { connection: connectionAt('https://b.example.com'), gateway: ON },
    trial: { connection: connectionAt('https://c.example.com'), gateway: OFF },
  }
  const { gateways, made, change, records } = open(settings)
  await gateways.start()
  expect(Object.keys(made)).toEqual(['default', 'staging'])
  const { port = 0 } = made['default']?.config ?? {}
  expect(port).toBeGreaterThanOrEqual(20_000)
  expect(port).toBeLessThan(32_000)
  expect(made['staging']?.config?.port).not.toBe(port)
  expect(made['default']?.config).toEqual({ dataAddress: `${A}/v1`, methods: 'read', port })
  const address = `http://127.0.0.1:${port}/v1`
  expect(gateways.view().gateway).toEqual({ kind: 'listening', address, hasPassword: false })
  await gateways.stop()
  expect(made['default']?.config).toBeUndefined()
  await gateways.start()
  expect(made['default']?.config?.port).toBe(port)
  settings['default'] = { connection: connectionAt(A), gateway: { ...ON, port: 47_114, methods: 'all' } }
  delete settings['staging']
  await change()
  expect(made['default']?.config).toEqual({ dataAddress: A, methods: 'all', port: 47_114 })
  expect(made['staging']?.config).toBeUndefined()
  expect(records()).toMatchObject({ [A]: { port } })
})

it('SECURITY: a new password is copied for five minutes, stored only as a hash, and locks out tools with the earlier one', async () => {
  const settings: Record<string, Partial<Given>> = { default: { gateway: ON } }
  const { gateways, copied, made, records, session } = open(settings)
  expect(await gateways.handlers.newGatewayPassword()).toMatchObject({ failure: { code: 'notConfigured' } })
  settings['default'] = { connection: connectionAt(A), gateway: ON }
  await gateways.start()
  expect(await gateways.handlers.newGatewayPassword()).toEqual(OK)
  const [[secret, stayMs] = []] = copied
  expect([stayMs, secret?.reveal().length]).toEqual([300_000, 32])
  expect(records()).toEqual({ [A]: { port: expect.any(Number), passwordHash: secret && hashOf(secret as never) } })
  expect(made['default']?.lockOut).toHaveReturnedWith(records())
  session.isSignedIn = false
  expect(gateways.view().gateway).toMatchObject({ kind: 'signedOut', hasPassword: true })
})

it('damaged gateway records are ignored', () => {
  for (const value of ['x', { [A]: 1 }, { [A]: { port: 80, passwordHash: 3 } }]) {
    const records = new GatewayRecords({ get: () => value, set: () => {} })
    expect([records.of(A), records.of('constructor')]).toEqual([{}, {}])
  }
})
