import { describe, expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { openSettings as open, provider, type Sources } from '../../test/support/open-settings.ts'
import { clientSecret } from '../base/secret.ts'
import { NOT_CONFIRMED } from './destination.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com'
const C = 'https://c.example.com'
const trial = { trial: { baseAddress: C } }
const managed = { failure: { fields: { baseAddress: 'managed' } } }

describe('the connections', () => {
  it('begin with the default one, even without an address; then come the policy’s and the user’s', () => {
    expect(open({ own: { connections: trial } }).settings.names).toEqual(['default', 'trial'])
    const { settings } = open({
      policy: { baseAddress: A, connections: { staging: { baseAddress: `${B}:8443/api` } }, userConnections: true },
      own: { connections: trial },
    })
    expect(settings.names).toEqual(['default', 'staging', 'trial'])
    expect(settings.managedHosts).toEqual(['a.example.com', 'b.example.com:8443'])
    expect(open({ environment: { baseAddress: A } }).settings.managedHosts).toEqual(['a.example.com'])
  })

  it('of two connections with the same address, the later one is ignored and reported', () => {
    const { settings } = open({ policy: { baseAddress: A, connections: { staging: { baseAddress: `${A}/` } } } })
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
      const outcome = await settings.of(name).save({ ...provider, clientSecret: 'hush' })
      expect(outcome).toMatchObject({ failure: { fields: { authUrl: 'managed' } } })
    }
  })
})

describe('an added connection', () => {
  it('is stored with the user’s own connections, until it is removed with its client secret', async () => {
    const { settings, content, held, state } = open({ own: { connection: { baseAddress: A } } })
    expect(await settings.add('staging', 'b.example.com')).toEqual(OK)
    await settings.of('staging').save({ ...provider, clientSecret: 'hush' })
    const connection = { baseAddress: A }
    expect(content).toEqual({ connection, connections: { staging: { baseAddress: B, ...provider } } })
    expect(settings.of('staging').connection?.identityProvider?.clientSecret?.reveal()).toBe('hush')
    expect(settings.of('default').connection?.identityProvider).toBeUndefined()
    state.isDiskFull = true
    expect(await settings.remove('staging')).toEqual(fail({ code: 'settingsUnwritable' }))
    expect(Object.keys(held())).toEqual([`${B} client secret`])
    state.isDiskFull = false
    for (const name of settings.names) await settings.remove(name)
    expect([held(), content]).toEqual([{}, { connection, connections: {} }])
  })

  it.each([
    ['default', B, { name: 'taken' }],
    ['staging', 'http://b.example.com', { baseAddress: 'notHttps' }],
    ['staging', `${A}/`, { baseAddress: 'taken' }],
  ])('is refused if its name is %s and its address is %s: %j', async (name, address, fields) => {
    const { settings, content } = open({ own: { connection: { baseAddress: A } } })
    expect(await settings.add(name, address)).toMatchObject({ failure: { code: 'invalidInput', fields } })
    expect(content).toEqual({ connection: { baseAddress: A } })
  })

  const ALLOWED = { userConnections: true }
  it.each<[boolean, string, Sources]>([
    [true, 'the user set the address', { own: { connection: { baseAddress: A } } }],
    [false, 'the policy sets the address', { policy: { baseAddress: A } }],
    [false, 'the policy locks the address as empty', { policy: { baseAddress: null } }],
    [false, 'the environment sets the address', { environment: { baseAddress: A } }],
    [true, 'the policy allows it and lists connections', { policy: { connections: {}, userConnections: true } }],
    [false, 'the policy forbids it', { policy: { userConnections: false }, environmentApp: ALLOWED }],
    [true, 'the environment allows it', { environment: { baseAddress: A }, environmentApp: ALLOWED }],
    [false, 'only the environment allows it', { policy: { baseAddress: A }, environmentApp: ALLOWED }],
    [false, 'the policy lists connections, even none', { policy: { connections: {} }, environmentApp: ALLOWED }],
  ])(
    'SECURITY: is permitted (%s) if %s; stored ones that aren’t are reported and kept',
    async (allowed, _, sources) => {
      const { settings, content } = open({ ...sources, own: { ...sources.own, connections: trial } })
      expect([settings.mayAdd, settings.names]).toEqual([allowed, allowed ? ['default', 'trial'] : ['default']])
      const problem = { source: 'user', where: 'connections.trial', problem: 'notAllowed' }
      expect(settings.problems).toEqual(allowed ? [] : [problem])
      expect(await settings.add('staging', B)).toMatchObject(allowed ? OK : managed)
      expect(content['connections']).toEqual(allowed ? { ...trial, staging: { baseAddress: B } } : trial)
    },
  )

  it('SECURITY: can’t have a name that the policy lists with an unusable address', () => {
    const { settings } = open({
      policy: { baseAddress: A, connections: { staging: { baseAddress: 'ftp://b.example.com', ...provider } } },
      own: { connections: { staging: { baseAddress: B } } },
    })
    expect(settings.names).toEqual(['default'])
    expect(settings.of('staging').view.baseAddress).toEqual({ source: 'policy' })
  })
})

it('SECURITY: if the policy only lists other connections, users can’t set the default one’s address', async () => {
  const { settings } = open({
    policy: { connections: { staging: { baseAddress: B } } },
    environment: { baseAddress: A },
    own: { connection: { baseAddress: A } },
  })
  expect(settings.connections.map(({ baseAddress }) => baseAddress)).toEqual([B])
  expect(await settings.of('default').save({ baseAddress: A })).toMatchObject(managed)
  await settings.remove('staging')
  expect(settings.names).toEqual(['default', 'staging'])
})

describe('SECURITY: a connection needs confirmation', () => {
  it('unless it is the first one of a new installation', async () => {
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

  it('even if several calls at once add a first one', async () => {
    const { settings, asked } = open()
    const first = settings.of('default').save({ baseAddress: A })
    await Promise.all([settings.add('staging', B), first, settings.add('trial', C)])
    expect(asked).toHaveLength(2)
  })

  it('after the first one was removed', async () => {
    const { settings, state } = open()
    expect(settings.isFirst).toBe(true)
    await settings.add('staging', B)
    await settings.remove('staging')
    expect(settings.isFirst).toBe(false)
    state.isConfirmed = false
    expect(await settings.add('trial', C)).toEqual(NOT_CONFIRMED)
    expect(await settings.of('default').save({ baseAddress: C })).toEqual(NOT_CONFIRMED)
  })

  it.each<[string, Sources]>([
    ['a connection was stored earlier', { own: { connection: {} } }],
    ['a session was stored earlier', { own: { markers: {} } }],
    ['another one is managed', { policy: { userConnections: true }, environment: { baseAddress: A } }],
  ])('if %s', async (_, sources) => {
    const { settings, asked } = open(sources)
    await settings.add('staging', B)
    expect(asked).toHaveLength(1)
  })
})

describe('SECURITY: a new connection', () => {
  it('is tried only after the user has confirmed it, and isn’t added if no server answers', async () => {
    const { settings, content, asked, state } = open({ own: { connection: { baseAddress: A } } })
    const unreachable = fail({ code: 'unreachable' })
    const tried: unknown[] = []
    const probe = (outcome: Outcome) => async (address: string) => {
      tried.push(address, asked.length)
      return outcome
    }
    state.isConfirmed = false
    expect(await settings.add('staging', B, probe(OK))).toEqual(NOT_CONFIRMED)
    state.isConfirmed = true
    expect(await settings.add('staging', 'b.example.com', probe(unreachable))).toEqual(unreachable)
    expect(content).toEqual({ connection: { baseAddress: A } })
    expect(await settings.add('staging', 'b.example.com', probe(OK))).toEqual(OK)
    expect(tried).toEqual([B, 2, B, 3])
  })

  it('isn’t added if the policy forbids it, or saved if it is removed, while the dialog is open', async () => {
    const connections = { staging: { baseAddress: B } }
    const { settings, content, setPolicy, state } = open({ own: { connection: { baseAddress: A }, connections } })
    state.meanwhile = async () => setPolicy({ connections: {} })
    expect(await settings.add('trial', C)).toMatchObject(managed)
    setPolicy({})
    state.meanwhile = async () => void (await settings.remove('staging'))
    expect(await settings.of('staging').save({ baseAddress: C })).toEqual(NOT_CONFIRMED)
    expect(content).toEqual({ connection: { baseAddress: A }, connections: {} })
  })
})
