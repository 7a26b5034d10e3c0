import { describe, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import type { DestinationChange } from './destination.ts'
import { NOT_CONFIRMED } from './destination.ts'
import type { AppLayer, Layer } from './layers.ts'
import { parsePolicy } from './policy.ts'
import { Settings } from './settings.ts'
import { UserSettings } from './user-settings.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com'
const C = 'https://c.example.com'
const provider = {
  authUrl: 'https://login.example.com',
  scope: 'openid',
  audience: 'https://data.example.com/api',
  clientId: 'latchkey',
}

function open({
  policy = {},
  environment = {},
  environmentApp = {},
  own = {},
}: {
  policy?: object
  environment?: Layer
  environmentApp?: AppLayer
  own?: object
} = {}) {
  const content: Record<string, unknown> = { ...own }
  const file = {
    get: (key: string) => content[key],
    set(key: string, value: unknown) {
      content[key] = value
    },
  }
  const keychain = new MemoryStore()
  const asked: DestinationChange[] = []
  const answer: { isConfirmed: boolean; given?: () => Promise<void> } = { isConfirmed: true }
  const reading = { reading: parsePolicy('policy.json', JSON.stringify(policy)) }
  const settings = new Settings({
    policy: reading,
    environment: { layer: environment, app: environmentApp, problems: [] },
    user: new UserSettings(file),
    secrets: keychain,
    confirm: async (change, probe) => {
      asked.push(change)
      await answer.given?.()
      return answer.isConfirmed ? (probe?.() ?? OK) : NOT_CONFIRMED
    },
  })
  const setPolicy = (json: object) => {
    reading.reading = parsePolicy('policy.json', JSON.stringify(json))
  }
  return { settings, content, keychain, setPolicy, asked, answer }
}

describe('the connections', () => {
  it('the list begins with the default connection, even without an address; the policy’s and then the user’s follow', () => {
    expect(open().settings.names).toEqual(['default'])
    const { settings } = open({
      policy: { baseAddress: A, connections: { staging: { baseAddress: `${B}:8443/api` } } },
      own: { connections: { trial: { baseAddress: C } } },
    })
    expect(settings.names).toEqual(['default', 'staging'])
    expect(settings.connections.map(({ host }) => host)).toEqual(['a.example.com', 'b.example.com:8443/api'])
    expect(open({ own: { connections: { trial: { baseAddress: C } } } }).settings.names).toEqual(['default', 'trial'])
  })

  it('a connection is managed only if the policy or the environment sets its address', () => {
    const own = { connection: { baseAddress: C }, connections: { trial: { baseAddress: B } } }
    expect(open({ own }).settings.managedHosts).toEqual([])
    expect(open({ own, environment: { baseAddress: A } }).settings.managedHosts).toEqual(['a.example.com'])
    const policy = { connections: { staging: { baseAddress: `${B}:8443/api` } } }
    expect(open({ own, policy }).settings.managedHosts).toEqual(['b.example.com:8443'])
  })

  it('of two connections with the same address, the later one is ignored and reported', () => {
    const { settings } = open({
      policy: { baseAddress: A, connections: { staging: { baseAddress: `${A}/` } } },
    })
    expect(settings.names).toEqual(['default'])
    expect(settings.problems).toMatchObject([{ key: 'connections.staging', at: { column: 55 }, problem: 'taken' }])
  })

  it('SECURITY: a connection has no provider if the policy sets the provider’s address to `null`', async () => {
    const { settings } = open({
      policy: { baseAddress: A, authUrl: null, connections: { staging: { baseAddress: B, authUrl: null } } },
      environment: { ...provider, clientSecret: clientSecret('hush') },
      own: { connections: { staging: provider } },
    })
    for (const name of settings.names) {
      const { connection, view } = settings.of(name)
      expect(connection?.identityProvider).toBeUndefined()
      expect(view.authUrl).toEqual({ source: 'policy', place: 'file' })
      const atOtherProvider = { ...provider, clientSecret: 'hush', authUrl: 'https://elsewhere.example.com' }
      await expect(settings.of(name).save(atOtherProvider)).resolves.toMatchObject({
        failure: { fields: { authUrl: 'managed' } },
      })
    }
  })
})

describe('an added connection', () => {
  it('is stored with the user’s own connections', async () => {
    const { settings, content } = open({ own: { connection: { baseAddress: A } } })
    await expect(settings.add('staging', 'b.example.com')).resolves.toEqual({ ok: true, value: undefined })
    await settings.of('staging').save({ ...provider, clientSecret: 'hush' })
    expect(content).toEqual({
      connection: { baseAddress: A },
      connections: { staging: { baseAddress: B, ...provider } },
    })
    expect(settings.of('staging').connection?.identityProvider?.clientSecret?.reveal()).toBe('hush')
    expect(settings.of('default').connection?.identityProvider).toBeUndefined()
  })

  it.each([
    ['default', B, { name: 'taken' }],
    ['staging', 'http://b.example.com', { baseAddress: 'notHttps' }],
    ['staging', `${A}/`, { baseAddress: 'taken' }],
  ])('is refused if its name is %s and its address is %s: %j', async (name, address, fields) => {
    const { settings, content } = open({ own: { connection: { baseAddress: A } } })
    await expect(settings.add(name, address)).resolves.toMatchObject({
      ok: false,
      failure: { code: 'invalidInput', fields },
    })
    expect(content).toEqual({ connection: { baseAddress: A } })
  })

  const own = { connections: { trial: { baseAddress: C } } }
  const ALLOWED = { userConnections: true }
  it.each<[boolean, string, Parameters<typeof open>[0]]>([
    [true, 'the user set the address', { own: { connection: { baseAddress: A } } }],
    [false, 'the policy sets the address', { policy: { baseAddress: A } }],
    [false, 'the policy locks the address as empty', { policy: { baseAddress: null } }],
    [false, 'the environment sets the address', { environment: { baseAddress: A } }],
    [true, 'the policy allows it and lists connections', { policy: { connections: {}, userConnections: true } }],
    [false, 'the policy lists connections, even none', { policy: { connections: {} } }],
    [false, 'the policy forbids it', { policy: { userConnections: false }, environmentApp: ALLOWED }],
    [
      true,
      'the environment sets the address and allows it',
      { environment: { baseAddress: A }, environmentApp: ALLOWED },
    ],
    [false, 'only the environment allows it', { policy: { baseAddress: A }, environmentApp: ALLOWED }],
    [false, 'the policy lists others', { policy: { connections: {} }, environmentApp: ALLOWED }],
  ])(
    'users can add connections (%s) if %s; stored ones that they may not add are reported and kept',
    async (allowed, _, set) => {
      const { settings, content } = open({ ...set, own: { ...set?.own, ...own } })
      expect(settings.mayAdd).toBe(allowed)
      expect(settings.names).toEqual(allowed ? ['default', 'trial'] : ['default'])
      expect(settings.problems).toEqual(
        allowed ? [] : [{ source: 'user', where: 'connections.trial', problem: 'notAllowed' }],
      )
      const refusal = { ok: false, failure: { fields: { baseAddress: 'managed' } } }
      await expect(settings.add('staging', B)).resolves.toMatchObject(allowed ? { ok: true } : refusal)
      expect(content['connections']).toEqual(
        allowed ? { ...own.connections, staging: { baseAddress: B } } : own.connections,
      )
    },
  )

  it('SECURITY: a user’s connection can’t have a name that the policy lists with an unusable address', async () => {
    const { settings } = open({
      policy: { baseAddress: A, connections: { staging: { baseAddress: 'ftp://b.example.com', ...provider } } },
      own: { connections: { staging: { baseAddress: B } } },
    })
    expect(settings.names).toEqual(['default'])
    expect(settings.of('staging').view.baseAddress).toEqual({ source: 'policy' })
  })

  it('SECURITY: if the policy only lists other connections, users can’t set the default one’s address', async () => {
    const { settings } = open({
      policy: { connections: { staging: { baseAddress: B } } },
      environment: { baseAddress: A },
      own: { connection: { baseAddress: A } },
    })
    expect(settings.connections.map(({ baseAddress }) => baseAddress)).toEqual([B])
    expect(settings.of('default').view.baseAddress).toEqual({ source: 'policy' })
    await expect(settings.of('default').save({ baseAddress: A })).resolves.toMatchObject({
      failure: { fields: { baseAddress: 'managed' } },
    })
  })
})

describe('the first connection of a new installation', () => {
  it('needs no confirmation, but changing it or adding another one does', async () => {
    const { settings, asked } = open()
    await settings.of('default').save({ baseAddress: A })
    expect(asked).toEqual([])
    await settings.add('staging', B)
    await settings.of('default').save({ baseAddress: C })
    expect(asked).toEqual([
      { kind: 'addition', existing: A, added: B },
      { kind: 'change', addresses: [{ field: 'baseAddress', from: A, to: C }] },
    ])
  })

  it('SECURITY: only one of several simultaneous calls adds it without confirmation', async () => {
    const { settings, asked } = open()
    await Promise.all([
      settings.add('staging', B),
      settings.of('default').save({ baseAddress: A }),
      settings.add('trial', C),
    ])
    expect(asked).toHaveLength(2)
  })

  it('SECURITY: after the first connection was removed, a new one needs confirmation', async () => {
    const { settings, asked, answer } = open()
    expect(settings.isFirst).toBe(true)
    await settings.add('staging', B)
    await settings.remove('staging')
    expect(settings.isFirst).toBe(false)
    answer.isConfirmed = false
    await expect(settings.add('trial', C)).resolves.toEqual(NOT_CONFIRMED)
    await expect(settings.of('default').save({ baseAddress: C })).resolves.toEqual(NOT_CONFIRMED)
    expect(asked).toHaveLength(2)
    expect(settings.connections).toEqual([])
  })

  it('SECURITY: a connection needs confirmation if a connection or a session was stored earlier', async () => {
    for (const own of [{ connection: {} }, { markers: {} }]) {
      const { settings, asked } = open({ own })
      await settings.of('default').save({ baseAddress: A })
      expect(asked).toHaveLength(1)
    }
  })

  it('SECURITY: a user’s first connection needs confirmation if there is a managed connection', async () => {
    const { settings, asked } = open({ policy: { userConnections: true }, environment: { baseAddress: A } })
    await settings.add('staging', B)
    await settings.of('default').save({ ...provider, clientSecret: 'hush' })
    expect(asked).toHaveLength(2)
  })
})

describe('a new connection', () => {
  it('SECURITY: is tried only after the user has confirmed it, and isn’t added if no server answers', async () => {
    const { settings, content, asked, answer } = open({ own: { connection: { baseAddress: A } } })
    const unreachable = { ok: false, failure: { code: 'unreachable' } } as const
    const tried: unknown[] = []
    const probe = (outcome: Outcome) => async (address: string) => {
      tried.push(address, asked.length)
      return outcome
    }
    answer.isConfirmed = false
    expect(await settings.add('staging', B, probe(OK))).toEqual(NOT_CONFIRMED)
    answer.isConfirmed = true
    await expect(settings.add('staging', 'b.example.com', probe(unreachable))).resolves.toEqual(unreachable)
    expect(content).toEqual({ connection: { baseAddress: A } })
    await expect(settings.add('staging', 'b.example.com', probe(OK))).resolves.toEqual(OK)
    expect(settings.names).toEqual(['default', 'staging'])
    expect(tried).toEqual([B, 2, B, 3])
  })

  it('SECURITY: isn’t added if the policy forbids it while the dialog is open', async () => {
    const { settings, content, setPolicy, answer } = open({ own: { connection: { baseAddress: A } } })
    answer.given = async () => setPolicy({ connections: {} })
    await expect(settings.add('staging', B)).resolves.toMatchObject({ failure: { fields: { baseAddress: 'managed' } } })
    expect(content).toEqual({ connection: { baseAddress: A } })
  })

  it('SECURITY: a connection that is removed while the user confirms its new address stays removed', async () => {
    const { settings, content, answer } = open({
      own: { connection: { baseAddress: A }, connections: { staging: { baseAddress: B } } },
    })
    const staging = settings.of('staging')
    answer.given = async () => void (await settings.remove('staging'))
    await expect(staging.save({ baseAddress: C })).resolves.toEqual(NOT_CONFIRMED)
    expect(content).toEqual({ connection: { baseAddress: A }, connections: {} })
  })
})

it('removing a connection deletes its values and its client secret, unless it is the administrator’s', async () => {
  const policy = { connections: { managed: { baseAddress: A } }, userConnections: true }
  const { settings, content, keychain } = open({ policy })
  await settings.add('staging', B)
  await settings.of('staging').save({ ...provider, clientSecret: 'hush' })
  expect([keychain.held.size, settings.names]).toEqual([1, ['default', 'managed', 'staging']])
  for (const name of settings.names) await settings.remove(name)
  expect([keychain.held.size, content, settings.names]).toEqual([0, { connections: {} }, ['default', 'managed']])
})
