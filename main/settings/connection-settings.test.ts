import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { clientSecret, entryText } from '../base/secret.ts'
import { createInTurn } from '../base/waits.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { isSameConnection } from '../session/connection.ts'
import type { SecretStore } from '../session/ports.ts'
import { ConnectionSettings, readClientSecret } from './connection-settings.ts'
import type { DestinationChange } from './destination.ts'
import { NOT_CONFIRMED } from './destination.ts'
import type { Layer } from './layers.ts'
import { UserSettings } from './user-settings.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com'
const TAKEN = 'https://taken.example.com'
const entry = (address: string) => `${address} client secret`
const provider = {
  authUrl: 'https://login.example.com',
  scope: 'openid',
  audience: 'https://data.example.com/api',
  clientId: 'latchkey',
}
const unreachable = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } } as const
const unavailable = { ok: false, failure: { code: 'keychainUnavailable' } } as const

interface Conditions {
  readonly environment?: Layer
  readonly policy?: Layer
  readonly content?: Record<string, unknown>
}

async function open({ environment = {}, policy: layer = {}, content = {} }: Conditions = {}) {
  const file = {
    content,
    isFull: false,
    get: (key: string) => content[key],
    set(key: string, value: unknown) {
      if (file.isFull) throw new Error('ENOSPC')
      content[key] = value
    },
  }
  const keychain = new MemoryStore()
  const calls: string[] = []
  let isBroken = false
  const store: Pick<SecretStore, 'read' | 'write' | 'delete'> = {
    read: (name) => keychain.read(name),
    write: async (name, value) => {
      calls.push(`write ${name}`)
      return isBroken ? unavailable : keychain.write(name, value)
    },
    delete: async (name) => {
      calls.push(`delete ${name}`)
      return isBroken ? unavailable : keychain.delete(name)
    },
  }
  const policy = { layer }
  const user = new UserSettings(file)
  const asked: DestinationChange[] = []
  const answer = { isConfirmed: true, meanwhile: () => {} }
  const settings = new ConnectionSettings({
    policy: () => policy.layer,
    environment,
    user: {
      layer: () => user.layer('default').layer,
      save: (values) => user.save('default', values),
      remove: () => user.remove('default'),
    },
    isTaken: (address) => address === TAKEN,
    secrets: store,
    confirm: async (change, probe) => {
      asked.push(change)
      answer.meanwhile()
      return answer.isConfirmed ? (probe?.() ?? OK) : NOT_CONFIRMED
    },
    inTurn: createInTurn(),
  })
  return {
    settings,
    file,
    policy,
    calls,
    asked,
    answer,
    break: () => {
      isBroken = true
    },
    put: (name: string, value: string) => keychain.write(name, entryText(value)),
    held: () => Object.fromEntries([...keychain.held].map(([name, value]) => [name, value.reveal()])),
  }
}

const bound = (value: string, issuer = provider.authUrl) => JSON.stringify({ version: 1, issuer, clientSecret: value })

describe('saving', () => {
  it('the values are stored in the file, and the client secret only in the keychain', async () => {
    const { settings, file, held } = await open()
    await expect(settings.save({ baseAddress: A, ...provider, clientSecret: 'hush' })).resolves.toEqual(OK)
    expect(file.content).toEqual({ connection: { baseAddress: A, ...provider } })
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    expect(settings.connection?.identityProvider?.clientSecret?.reveal()).toBe('hush')
    expect(inspect(settings.connection, { depth: 9 }) + JSON.stringify(settings.connection)).not.toContain('hush')
  })

  it('nothing is saved if one value is wrong or the keychain can’t be written', async () => {
    const { settings, file, held, break: breakIt } = await open({ content: { connection: { baseAddress: A } } })
    const refusal = { ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } }
    const input = { ...provider, clientSecret: 'hush' }
    expect(await settings.save({ ...input, baseAddress: 'http://b.example.com' })).toMatchObject(refusal)
    breakIt()
    expect(await settings.save(input)).toEqual(unavailable)
    expect(file.content).toEqual({ connection: { baseAddress: A } })
    expect(held()).toEqual({})
    expect(settings.view.clientSecret).toEqual({})
  })

  it('if the file can’t be written, nothing is saved, not even the keychain entry', async () => {
    const opened = await open()
    await opened.settings.save({ baseAddress: A, ...provider, clientSecret: 'old' })
    opened.file.isFull = true
    const unwritable = { ok: false, failure: { code: 'settingsUnwritable' } }
    await expect(opened.settings.save({ scope: 'all', clientSecret: 'new' })).resolves.toEqual(unwritable)
    await expect(opened.settings.save({ baseAddress: B, clientSecret: 'new' })).resolves.toEqual(unwritable)
    expect(opened.held()).toEqual({ [entry(A)]: bound('old') })
    expect(opened.settings.connection?.identityProvider?.clientSecret?.reveal()).toBe('old')
  })

  it('a changed base address keeps the client secret, and two saves at once keep both changes', async () => {
    const { settings, held } = await open()
    await settings.save({ baseAddress: A, ...provider, clientSecret: 'hush' })
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
  const { settings } = await open({ content: { connection: { baseAddress: A } } })
  await settings.save({ ...provider, clientSecret: 'hush' })
  const before = settings.connection
  await settings.save(input)
  expect(isSameConnection(before, settings.connection)).toBe(isSame)
})

it('the window receives each value and its source, but never the client secret', async () => {
  const { settings } = await open({
    policy: { baseAddress: A },
    environment: { scope: 'openid', clientSecret: clientSecret('hush') },
    content: { connection: { baseAddress: B, clientId: 'latchkey' } },
  })
  const values = Object.entries(settings.view).filter(([, value]) => Object.keys(value).length > 0)
  expect(Object.fromEntries(values)).toEqual({
    baseAddress: { value: A, source: 'policy' },
    scope: { value: 'openid', source: 'environment' },
    clientId: { value: 'latchkey', source: 'user' },
    clientSecret: { source: 'environment' },
  })
})

it('the provider’s client secret is read from the keychain, unless the environment sets one', async () => {
  const own = await open({ environment: { ...provider, baseAddress: A } })
  await own.put(entry(A), bound('from the keychain'))
  expect(own.settings.connection?.identityProvider).toBeUndefined()
  await own.settings.readClientSecret()
  expect(own.settings.connection?.identityProvider?.clientSecret?.reveal()).toBe('from the keychain')

  const managed = await open({
    environment: { ...provider, baseAddress: A, clientSecret: clientSecret('from the environment') },
  })
  await managed.put(entry(A), bound('from the keychain'))
  await managed.settings.readClientSecret()
  expect(managed.settings.connection?.identityProvider?.clientSecret?.reveal()).toBe('from the environment')
})

it.each<[boolean, string, Conditions]>([
  [true, 'other sources set the provider', { environment: provider, content: { connection: { baseAddress: A } } }],
  [false, 'the provider is incomplete', { content: { connection: { baseAddress: A, authUrl: provider.authUrl } } }],
  [false, 'the policy sets a client secret', { policy: { ...provider, clientSecret: clientSecret('theirs') } }],
])('usesClientSecret is %s if %s', async (uses, _, conditions) => {
  const { settings, put } = await open(conditions)
  expect(settings.usesClientSecret).toBe(uses)
  await put(entry(A), bound('hush'))
  await settings.readClientSecret()
  expect(settings.usesClientSecret).toBe(uses)
})

describe('SECURITY: a client secret is only used with the provider it was entered for', () => {
  const EVIL = 'https://elsewhere.example'
  const used = ({ connection }: ConnectionSettings) => {
    const { authUrl, clientSecret: secret } = connection?.identityProvider ?? {}
    return authUrl === undefined ? undefined : `${secret?.reveal()} at ${authUrl}`
  }

  it('the user’s secret isn’t used while the policy sets another provider or none', async () => {
    const { settings, policy, held } = await open({ policy: { authUrl: provider.authUrl } })
    const { authUrl: _, ...rest } = provider
    await settings.save({ baseAddress: A, ...rest, clientSecret: 'hush' })
    for (const layer of [{ authUrl: EVIL }, {}]) {
      policy.layer = layer
      expect(used(settings)).toBeUndefined()
      await settings.readClientSecret()
      expect(used(settings)).toBeUndefined()
    }
    policy.layer = { authUrl: provider.authUrl }
    expect(used(settings)).toBe(`hush at ${provider.authUrl}`)
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
  })

  it('the secret isn’t used if it was stored for another provider', async () => {
    const { settings, put } = await open({ content: { connection: { ...provider, baseAddress: A, authUrl: EVIL } } })
    await put(entry(A), bound('hush'))
    await settings.readClientSecret()
    expect(used(settings)).toBeUndefined()
    await expect(settings.save({ scope: 'all' })).resolves.toMatchObject({
      failure: { fields: { clientSecret: 'missing' } },
    })
  })

  it('a secret that isn’t used is kept by later saves, until the user deletes it', async () => {
    const { settings, policy, put, held } = await open({
      policy: { ...provider, authUrl: EVIL },
      content: { connection: { baseAddress: A } },
    })
    await put(entry(A), bound('hush'))
    await settings.readClientSecret()
    await expect(settings.save({ realm: 'Analysts' })).resolves.toEqual(OK)
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    policy.layer = {}
    await expect(settings.save({ realm: '', clientSecret: '' })).resolves.toEqual(OK)
    expect(held()).toEqual({})
  })

  it('an entry that names no provider belongs to the managed provider once it is read, but diagnostics don’t change it', async () => {
    const { settings, put, held, policy } = await open({ content: { connection: { ...provider, baseAddress: A } } })
    await put(entry(A), 'hush')
    await settings.readClientSecret()
    expect(used(settings)).toBeUndefined()
    policy.layer = { authUrl: provider.authUrl }
    await settings.readClientSecret({ isReadOnly: true })
    expect([used(settings), held()]).toEqual([`hush at ${provider.authUrl}`, { [entry(A)]: 'hush' }])
    await settings.readClientSecret()
    expect(held()).toEqual({ [entry(A)]: bound('hush') })
    policy.layer = { authUrl: EVIL }
    expect(used(settings)).toBeUndefined()
  })
})

const theirs = { clientSecret: clientSecret('theirs') }
const { authUrl, ...rest } = provider

it.each<[string, Conditions, boolean]>([
  ['the environment’s secret with the policy’s address', { environment: theirs, policy: { authUrl } }, true],
  ['the policy’s secret with the user’s address', { policy: theirs }, false],
  ['the environment’s secret with the user’s address', { environment: theirs }, false],
])('SECURITY: a managed client secret is only used with a managed address: %s', async (_, conditions, isUsed) => {
  const own = isUsed ? rest : provider
  const { settings } = await open({ ...conditions, content: { connection: { baseAddress: A, ...own } } })
  expect(settings.connection?.identityProvider !== undefined).toBe(isUsed)
  expect(settings.isSecretWithheld).toBe(!isUsed)
})

describe('a change of the address that receives credentials', () => {
  const content = { connection: { baseAddress: A } }

  it('SECURITY: a new address is tried only after the user has confirmed it, and saved only if a server answers', async () => {
    const { settings, asked, answer, calls, file } = await open({ content: structuredClone(content) })
    const tried: unknown[] = []
    let outcome: Outcome = OK
    const save = () =>
      settings.save({ baseAddress: ' B.example.com/ ', ...provider, clientSecret: 'hush' }, async (address) => {
        tried.push(address, asked.length)
        return outcome
      })
    answer.isConfirmed = false
    expect(await save()).toEqual(NOT_CONFIRMED)
    answer.isConfirmed = true
    outcome = unreachable
    expect(await save()).toEqual(unreachable)
    expect([file.content, calls]).toEqual([content, []])
    outcome = OK
    expect(await save()).toEqual(OK)
    expect(tried).toEqual([B, 2, B, 3])
    const addresses = [
      { field: 'baseAddress', from: A, to: B },
      { field: 'authUrl', to: provider.authUrl },
    ]
    expect(asked[0]).toEqual({ kind: 'change', addresses })
    expect(file.content).toEqual({ connection: { baseAddress: B, ...provider } })
  })

  it('SECURITY: a new address isn’t saved if the policy changed while it was tried', async () => {
    const { settings, policy, file } = await open({ content: structuredClone(content) })
    const probe = async () => {
      policy.layer = { baseAddress: TAKEN }
      return OK
    }
    await expect(settings.save({ baseAddress: B }, probe)).resolves.toMatchObject({ ok: false })
    expect(file.content).toEqual(content)
  })

  it('values that name no other destination need no confirmation', async () => {
    const { settings, asked } = await open({ content: { connection: { baseAddress: A, ...provider } } })
    await settings.save({ clientSecret: 'hush', baseAddress: `${A}/`, realm: 'a', providerDomain: 'id.example.com' })
    expect(asked).toEqual([])
  })

  it('SECURITY: a confirmed address is refused if other settings changed while the dialog was open', async () => {
    const { settings, answer, policy, file } = await open({ content: structuredClone(content) })
    answer.meanwhile = () => {
      policy.layer = { authUrl: 'https://policy.example.com' }
    }
    const saving = settings.save({ ...provider, clientSecret: 'hush' })
    await expect(saving).resolves.toMatchObject({ failure: { fields: { authUrl: 'managed' } } })
    answer.meanwhile = () => file.set('connection', { baseAddress: 'https://c.example.com' })
    await expect(settings.save({ baseAddress: B })).resolves.toEqual(NOT_CONFIRMED)
    expect(file.content).toEqual({ connection: { baseAddress: 'https://c.example.com' } })
  })
})

it('reading a missing client secret succeeds, but an unreadable keychain is a failure', async () => {
  expect(await readClientSecret({ read: async () => ({ kind: 'missing' }) }, A)).toEqual(OK)
  expect(await readClientSecret({ read: async () => ({ kind: 'locked' }) }, A)).toEqual(unavailable)
})
