import { afterAll, describe, expect, it } from 'vitest'
import type { Failure, FailureCode } from '../../contract/failures.ts'
import { expectWithout, json, type Scripted, scriptedServer, testClient } from '../../test/support/local-servers.ts'
import { password, refreshToken, Secret } from '../base/secret.ts'
import { createIdentityProvider } from './identity-provider.ts'

const server = await scriptedServer()
afterAll(server.stop)

const PASSWORD = 'correct:hörse'
const CLIENT_SECRET = 'client-secret-value'
const REFRESH = 'refresh-token-in-hand'
const SECRETS = [PASSWORD, CLIENT_SECRET, REFRESH, 'new.access.token', 'the-next-refresh-token']

const provider = () =>
  createIdentityProvider({
    authAddress: `${server.address}/tenant`,
    providerDomain: 'auth0.test',
    realm: 'Username-Password-Authentication',
    scope: 'openid offline_access',
    audience: 'https://platform.test',
    clientId: 'client-1',
    clientSecret: new Secret('client secret', CLIENT_SECRET),
    http: testClient(),
  })

const operations = {
  login: () => provider().login({ username: 'ana:2', password: password(PASSWORD) }),
  refresh: () => provider().refresh(refreshToken(REFRESH)),
}
type Operation = keyof typeof operations

const tokens = { access_token: 'new.access.token', token_type: 'Bearer' }

async function failure(operation: Operation, answer: Scripted): Promise<Failure> {
  server.answers(answer)
  const outcome = await operations[operation]()
  expectWithout(outcome, SECRETS)
  if (outcome.ok) throw new Error(`${operation} succeeded`)
  return outcome.failure
}

describe('the requests', () => {
  it('a login has exactly the fields of the password-realm grant', async () => {
    server.answers(json(200, tokens))
    await operations.login()
    const [request] = server.received
    expect(request).toMatchObject({ method: 'POST', url: '/tenant/oauth/token' })
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      username: 'ana:2',
      password: PASSWORD,
      grant_type: 'http://auth0.test/oauth/grant-type/password-realm',
      realm: 'Username-Password-Authentication',
      scope: 'openid offline_access',
      audience: 'https://platform.test',
      client_id: 'client-1',
      client_secret: CLIENT_SECRET,
    })
  })

  it('a refresh has the grant type, the client and the refresh token', async () => {
    server.answers(json(200, tokens))
    await operations.refresh()
    const [request] = server.received
    expect(request).toMatchObject({ method: 'POST', url: '/tenant/oauth/token' })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      grant_type: 'refresh_token',
      client_id: 'client-1',
      client_secret: CLIENT_SECRET,
      refresh_token: REFRESH,
    })
  })
})

describe('a response', () => {
  const taken = async (operation: Operation, answer: unknown) => {
    server.answers(json(200, answer, { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }))
    const outcome = await operations[operation]()
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expectWithout(outcome, SECRETS)
    const { accessToken, refreshToken, ...rest } = outcome.value
    return { access: accessToken.reveal(), refresh: refreshToken?.reveal(), ...rest }
  }
  const serverTime = Date.UTC(1994, 10, 6, 8, 49, 37)
  const access = 'new.access.token'

  it('may have a refresh token and a lifetime, and a refresh without a new refresh token keeps the old one', async () => {
    const full = { ...tokens, token_type: 'bearer', expires_in: '86400', refresh_token: 'the-next-refresh-token' }
    const expected = { access, refresh: 'the-next-refresh-token', serverTime, expiresIn: 86_400 }
    expect(await taken('login', full)).toEqual(expected)
    expect(await taken('refresh', full)).toEqual(expected)
    expect(await taken('login', { ...tokens, refresh_token: null })).toEqual({ access, refresh: undefined, serverTime })
    expect(await taken('refresh', tokens)).toEqual({ access, refresh: REFRESH, serverTime })
  })

  it.each<[object, number | undefined]>([
    [{ refresh_expires_in: 1_800 }, 1_800],
    [{ refresh_token_expires_in: '15897600' }, 15_897_600],
    [{ refresh_expires_in: 0 }, 0],
    [{ refresh_expires_in: 0, refresh_token: undefined }, undefined],
    [{ refresh_expires_in: 'soon' }, undefined],
  ])('with %j gives this lifetime of the session in seconds: %j', async (fields, refreshExpiresIn) => {
    const answer = { ...tokens, refresh_token: 'the-next-refresh-token', ...fields }
    expect((await taken('refresh', answer)).refreshExpiresIn).toBe(refreshExpiresIn)
  })

  it.each([
    ['another token_type', { ...tokens, token_type: 'mac' }, 'field token_type'],
    ['a control character in refresh_token', { ...tokens, refresh_token: 'a\0b' }, 'field refresh_token'],
  ])('with %s is malformed', async (_name, value, cause) => {
    expect(await failure('login', json(200, value))).toMatchObject({ code: 'malformedResponse', details: { cause } })
  })
})

describe('an error', () => {
  const rows: [string, FailureCode, FailureCode][] = [
    ['invalid_grant', 'rejected', 'sessionEnded'],
    ['access_denied', 'interactionRequired', 'interactionRequired'],
    ['too_many_attempts', 'rateLimited', 'rateLimited'],
    ['temporarily_unavailable', 'unreachable', 'unreachable'],
    ['invalid_client', 'notConfigured', 'notConfigured'],
    ['constructor', 'malformedResponse', 'malformedResponse'],
  ]

  it.each(rows)(
    '%s means %s at a login and %s at a refresh, and keeps the provider’s own words',
    async (error, ofLogin, ofRefresh) => {
      const answer = json(403, { error, error_description: 'The provider’s own words.' })
      const told = { serverText: 'The provider’s own words.', details: { status: 403, cause: error } }
      expect(await failure('login', answer)).toMatchObject({ code: ofLogin, ...told })
      expect(await failure('refresh', answer)).toMatchObject({ code: ofRefresh, ...told })
    },
  )

  it('has the same meaning with status 200, unless the response contains tokens', async () => {
    for (const [error, login, refresh] of rows) {
      // With status 200, even an unknown error is a refusal. Otherwise Latchkey would repeat the request for ever.
      const known = (code: FailureCode, refusal: FailureCode) => (code === 'malformedResponse' ? refusal : code)
      expect((await failure('login', json(200, { error }))).code).toBe(known(login, 'rejected'))
      expect((await failure('refresh', json(200, { error }))).code).toBe(known(refresh, 'sessionEnded'))
    }
    server.answers(json(200, { ...tokens, error: 'none' }))
    expect(await operations.login()).toMatchObject({ ok: true })
  })

  it('that repeats a secret of the request is shown without that secret', async () => {
    const sent = `${PASSWORD} ${CLIENT_SECRET}`
    await failure('login', json(403, { error: 'invalid_grant', error_description: sent }))
    await failure('login', json(403, { error: sent }))
  })
})
