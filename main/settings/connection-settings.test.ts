import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { openSettings, provider, type Sources } from '../../test/support/open-settings.ts'
import { clientSecret } from '../base/secret.ts'
import { isSameConnection } from '../session/connection.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { NOT_CONFIRMED } from './destination.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com'
const ELSEWHERE = 'https://elsewhere.example'
const entry = (address: string) => `${address} client secret`
const { authUrl, ...rest } = provider
const unreachable = fail({ code: 'unreachable', details: { cause: 'ENOTFOUND' } })
const unavailable = fail({ code: 'keychainUnavailable' })
const connectionOf = (values: object) => ({ own: { connection: { baseAddress: A, ...values } } })
const open = (sources: Sources = connectionOf({})) => {
  const opened = openSettings(sources)
  return { ...opened, settings: opened.settings.of('default') }
}
const bound = (value: string, issuer = authUrl) => JSON.stringify({ version: 1, issuer, clientSecret: value })
const used = ({ connection }: ConnectionSettings) => {
  const { authUrl: address, clientSecret: secret } = connection?.identityProvider ?? {}
  return address === undefined ? undefined : `${secret?.reveal()} at ${address}`
}

describe('saving', () => {
  it('SECURITY: the values are stored in the file, and the client secret only in the keychain', async () => {
    const { settings, content, held } = open({})
    expect(await settings.save({ baseAddress: A, ...provider, clientSecret: 'hush' })).toEqual(OK)
    expect(content).toEqual({ connection: { baseAddress: A, ...provider } })
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    expect(used(settings)).toBe(`hush at ${authUrl}`)
    expect(inspect(settings.connection, { depth: 9 }) + JSON.stringify(settings.connection)).not.toContain('hush')
  })

  it('nothing is saved if one value is wrong, or if the keychain or the file can’t be written; a locked secret isn’t missing', async () => {
    const { settings, content, held, state } = open()
    const before = structuredClone(content)
    const input = { ...provider, clientSecret: 'hush' }
    const wrong = { failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } }
    expect(await settings.save({ ...input, baseAddress: 'http://b.example.com' })).toMatchObject(wrong)
    state.isKeychainBroken = true
    expect([await settings.readClientSecret(), await settings.save(input)]).toEqual([unavailable, unavailable])
    expect([content, held(), settings.view.clientSecret]).toEqual([before, {}, {}])
    state.isKeychainBroken = false
    await settings.save(input)
    state.isDiskFull = true
    for (const change of [{ scope: 'all' }, { baseAddress: B }])
      expect(await settings.save({ ...change, clientSecret: 'new' })).toEqual(fail({ code: 'settingsUnwritable' }))
    expect([held(), used(settings)]).toEqual([{ [entry(A)]: bound('hush') }, `hush at ${authUrl}`])
  })

  it('a changed base address keeps the client secret, even if it wasn’t read before, and two saves at once keep both changes', async () => {
    const { settings, put, held } = open(connectionOf(provider))
    await put(entry(A), bound('hush'))
    await Promise.all([settings.save({ baseAddress: B }), settings.save({ realm: 'Analysts' })])
    expect(held()).toEqual({ [entry(B)]: bound('hush') })
    expect(settings.connection?.identityProvider).toMatchObject({ realm: 'Analysts' })
  })
})

it.each([
  [{ displayName: 'Data platform' }, true],
  [{ baseAddress: B }, false],
  [{ scope: 'all' }, false],
  [{ clientSecret: 'new' }, false],
])('a session can continue after the user has changed %j: %s', async (input, isSame) => {
  const { settings } = open()
  await settings.save({ ...provider, clientSecret: 'hush' })
  const before = settings.connection
  await settings.save(input)
  expect(isSameConnection(before, settings.connection)).toBe(isSame)
})

it('SECURITY: the window receives each value from its first source, and that source, but never the client secret', () => {
  const { settings } = open({
    policy: { baseAddress: A },
    environment: { scope: 'openid', clientSecret: clientSecret('hush') },
    own: { connection: { baseAddress: B, scope: 'all', clientId: 'latchkey' } },
  })
  const values = Object.entries(settings.view).filter(([, value]) => Object.keys(value).length > 0)
  expect(Object.fromEntries(values)).toEqual({
    baseAddress: { value: A, source: 'policy', place: 'file' },
    scope: { value: 'openid', source: 'environment' },
    clientId: { value: 'latchkey', source: 'user' },
    clientSecret: { source: 'environment' },
  })
})

it.each<[string | undefined, boolean, string, Sources]>([
  ['mine', true, 'the environment sets the provider', { environment: provider, ...connectionOf({}) }],
  [undefined, false, 'the provider is incomplete', connectionOf({ authUrl })],
  [
    'theirs',
    false,
    'the policy sets a secret',
    { policy: { ...provider, clientSecret: 'theirs' }, ...connectionOf({}) },
  ],
])(
  'if the keychain has a client secret, %s is used (read before the start: %s) if %s',
  async (secret, isRead, _, sources) => {
    const { settings, put } = open(sources)
    await put(entry(A), bound('mine'))
    expect(settings.usesClientSecret).toBe(isRead)
    await settings.readClientSecret()
    expect(settings.usesClientSecret).toBe(isRead)
    expect(used(settings)).toBe(secret && `${secret} at ${authUrl}`)
  },
)

describe('SECURITY: a client secret is only used with the provider it was entered for', () => {
  it('the user’s secret isn’t used while the policy sets another provider or none', async () => {
    const { settings, setPolicy, held } = open({ policy: { authUrl } })
    await settings.save({ baseAddress: A, ...rest, clientSecret: 'hush' })
    for (const policy of [{ authUrl: ELSEWHERE }, {}]) {
      setPolicy(policy)
      expect(used(settings)).toBeUndefined()
      await settings.readClientSecret()
      expect(used(settings)).toBeUndefined()
    }
    setPolicy({ authUrl })
    expect(used(settings)).toBe(`hush at ${authUrl}`)
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
  })

  it('a secret that isn’t used is kept by later saves, until the user deletes it', async () => {
    const { settings, setPolicy, put, held } = open({
      policy: { ...provider, authUrl: ELSEWHERE },
      ...connectionOf({}),
    })
    await put(entry(A), bound('hush'))
    await settings.readClientSecret()
    expect(used(settings)).toBeUndefined()
    expect(await settings.save({ realm: 'Analysts' })).toEqual(OK)
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    setPolicy({})
    expect(await settings.save({ realm: '', clientSecret: '' })).toEqual(OK)
    expect(held()).toEqual({})
  })

  it('a secret that isn’t used isn’t used after the base address has changed either, and stays with its old address', async () => {
    const { settings, setPolicy, put, held } = open()
    await put(entry(A), bound('hush'))
    await settings.readClientSecret()
    await settings.save({ baseAddress: B })
    setPolicy(provider)
    expect([used(settings), held()]).toEqual([undefined, { [entry(A)]: bound('hush') }])
  })

  it('an entry that names no provider belongs to the managed provider once it is read, but diagnostics don’t change it', async () => {
    const { settings, put, held, setPolicy } = open(connectionOf(provider))
    await put(entry(A), 'hush')
    await settings.readClientSecret()
    expect(used(settings)).toBeUndefined()
    setPolicy({ authUrl })
    await settings.readClientSecret({ isReadOnly: true })
    expect([used(settings), held()]).toEqual([`hush at ${authUrl}`, { [entry(A)]: 'hush' }])
    await settings.readClientSecret()
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    setPolicy({ authUrl: ELSEWHERE })
    expect(used(settings)).toBeUndefined()
  })
})

const inEnvironment = { environment: { clientSecret: clientSecret('theirs') } }
it.each<[string, Sources, boolean]>([
  [
    'the environment’s secret, the policy’s address',
    { ...inEnvironment, policy: { authUrl }, ...connectionOf(rest) },
    true,
  ],
  ['the policy’s secret, the user’s address', { policy: { clientSecret: 'theirs' }, ...connectionOf(provider) }, false],
  ['the environment’s secret, the user’s address', { ...inEnvironment, ...connectionOf(provider) }, false],
])('SECURITY: a managed client secret is only used with a managed address: %s', (_, sources, isUsed) => {
  const { settings } = open(sources)
  expect([settings.connection?.identityProvider !== undefined, settings.isSecretWithheld]).toEqual([isUsed, !isUsed])
})

describe('SECURITY: a new address for credentials', () => {
  it('is tried only after the user has confirmed it, and saved only if a server answers', async () => {
    const { settings, asked, state, held, content } = open()
    const before = structuredClone(content)
    const tried: unknown[] = []
    let outcome: Outcome = OK
    const save = () =>
      settings.save({ baseAddress: ' B.example.com/ ', ...provider, clientSecret: 'hush' }, async (address) => {
        tried.push(address, asked.length)
        return outcome
      })
    state.isConfirmed = false
    expect(await save()).toEqual(NOT_CONFIRMED)
    state.isConfirmed = true
    outcome = unreachable
    expect(await save()).toEqual(unreachable)
    expect([content, held()]).toEqual([before, {}])
    outcome = OK
    expect(await save()).toEqual(OK)
    expect(tried).toEqual([B, 2, B, 3])
    const addresses = [
      { field: 'baseAddress', from: A, to: B },
      { field: 'authUrl', to: authUrl },
    ]
    expect(asked[0]).toEqual({ kind: 'change', addresses })
    expect(content).toEqual({ connection: { baseAddress: B, ...provider } })
  })

  it('is refused if other settings changed while the dialog was open or the address was tried', async () => {
    const { settings, state, setPolicy, content } = open()
    const before = structuredClone(content)
    state.meanwhile = async () => setPolicy({ authUrl: ELSEWHERE })
    const managed = { failure: { fields: { authUrl: 'managed' } } }
    expect(await settings.save({ ...provider, clientSecret: 'hush' })).toMatchObject(managed)
    state.meanwhile = async () => {}
    const probe = async () => {
      setPolicy({ baseAddress: ELSEWHERE })
      return OK
    }
    expect(await settings.save({ baseAddress: B }, probe)).toMatchObject({ ok: false })
    expect(content).toEqual(before)
    setPolicy({})
    state.meanwhile = async () => void Object.assign(content, { connection: { baseAddress: ELSEWHERE } })
    expect(await settings.save({ baseAddress: B })).toEqual(NOT_CONFIRMED)
    expect(content).toEqual({ connection: { baseAddress: ELSEWHERE } })
  })
})

it('values that name no other destination need no confirmation', async () => {
  const { settings, asked } = open(connectionOf(provider))
  await settings.save({ clientSecret: 'hush', baseAddress: `${A}/`, realm: 'a', providerDomain: 'id.example.com' })
  expect(asked).toEqual([])
})
