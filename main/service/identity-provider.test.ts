import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectWithout, json, scriptedServer, testClient } from '../../test/support/local-servers.ts'
import { password, refreshToken, Secret } from '../base/secret.ts'
import { createIdentityProvider, createSecondFactor } from './identity-provider.ts'

const server = await scriptedServer()
afterAll(server.stop)
beforeEach(() => server.answers({ status: 500 }))

const PASSWORD = 'correct:hörse'
const CLIENT_SECRET = 'client-secret-value'
const REFRESH = 'refresh-token-in-hand'
/** Auth0 seals its MFA tokens and out-of-band codes with iron, which joins the parts with `*`. */
const SEALED = 'Fe26.2*82dcca*be81490d3f*aGVs*1760000000000*c2Fs*bWFj~2'
const OOB = 'Fe26.2*1a2b3c*0f1e2d3c4b*b29i*1760000000001*c2Fs*bWFj~2'
const SECRETS = [PASSWORD, CLIENT_SECRET, REFRESH, 'new.access.token', 'the-next-refresh-token', SEALED, '918273']
const CLIENT = { client_id: 'client-1', client_secret: CLIENT_SECRET }

const options = () => ({
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
  login: () => createIdentityProvider(options()).login({ username: 'ana:2', password: password(PASSWORD) }),
  refresh: () => createIdentityProvider(options()).refresh(refreshToken(REFRESH)),
}
type Operation = keyof typeof operations
const tokens = { access_token: 'new.access.token', token_type: 'Bearer' }

const mfaToken = new Secret('MFA token', SEALED)
const oobCode = new Secret('out-of-band code', OOB)
const code = new Secret('code', '918273')
const api = () => createSecondFactor(options())

describe('the password-realm grant', () => {
  it.each<[Operation, object]>([
    [
      'login',
      {
        username: 'ana:2',
        password: PASSWORD,
        grant_type: 'http://auth0.test/oauth/grant-type/password-realm',
        realm: 'Username-Password-Authentication',
        scope: 'openid offline_access',
        audience: 'https://platform.test',
      },
    ],
    ['refresh', { grant_type: 'refresh_token', refresh_token: REFRESH }],
  ])('asks for a %s with exactly its fields', async (operation, fields) => {
    await operations[operation]()
    const [request] = server.received
    expect(request).toMatchObject({ method: 'POST', url: '/tenant/oauth/token' })
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(request?.body ?? '')).toEqual({ ...CLIENT, ...fields })
  })

  const taken = async (operation: Operation, answer: unknown) => {
    server.answers(json(200, answer, { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }))
    const outcome = await operations[operation]()
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expectWithout(outcome, SECRETS)
    const { accessToken, refreshToken, ...rest } = outcome.value
    return { access: accessToken.reveal(), refresh: refreshToken?.reveal(), ...rest }
  }

  it('gives tokens with their lifetime, and a refresh without a new refresh token keeps the old one', async () => {
    const always = { access: 'new.access.token', serverTime: Date.UTC(1994, 10, 6, 8, 49, 37) }
    const full = { ...tokens, expires_in: '86400', refresh_token: 'the-next-refresh-token' }
    const expected = { ...always, refresh: 'the-next-refresh-token', expiresIn: 86_400 }
    expect(await taken('login', full)).toEqual(expected)
    expect(await taken('refresh', full)).toEqual(expected)
    expect(await taken('login', { ...tokens, refresh_token: null })).toEqual({ ...always, refresh: undefined })
    expect(await taken('refresh', { ...tokens, error: 'none' })).toEqual({ ...always, refresh: REFRESH })
  })

  it.each<[object, number | undefined]>([
    [{ refresh_expires_in: 1_800 }, 1_800],
    [{ refresh_token_expires_in: '15897600' }, 15_897_600],
    [{ refresh_expires_in: 0 }, 0],
    [{ refresh_expires_in: 0, refresh_token: undefined }, undefined],
  ])('with %j gives this lifetime of the session in seconds: %j', async (fields, refreshExpiresIn) => {
    const answer = { ...tokens, refresh_token: 'the-next-refresh-token', ...fields }
    expect((await taken('refresh', answer)).refreshExpiresIn).toBe(refreshExpiresIn)
  })

  it.each([
    ['another token_type', { ...tokens, token_type: 'mac' }, 'field token_type'],
    ['a control character in refresh_token', { ...tokens, refresh_token: 'a\0b' }, 'field refresh_token'],
  ])('refuses a response with %s', async (_name, value, cause) => {
    server.answers(json(200, value))
    expect(await operations.login()).toMatchObject({ failure: { code: 'malformedResponse', details: { cause } } })
  })

  it('SECURITY: an error that repeats secrets of the request is shown without them', async () => {
    const sent = `${PASSWORD} ${CLIENT_SECRET} ${SEALED} 918273`
    for (const answer of [{ error: 'invalid_grant', error_description: sent }, { error: sent }]) {
      server.answers(json(403, answer))
      expectWithout(await operations.login(), [PASSWORD, CLIENT_SECRET])
      expectWithout(await api().verify(mfaToken, { kind: 'shownCode', code }), [CLIENT_SECRET, SEALED, '918273'])
    }
  })
})

describe('the second factor', () => {
  it.each([
    [{ id: 'totp|1', kind: 'app' } as const, 'otp'],
    [{ id: 'sms|1', kind: 'textMessage' } as const, 'oob'],
  ])('asks for a challenge of one authenticator: $kind', async (authenticator, challenge_type) => {
    await api().challenge(mfaToken, authenticator)
    expect(server.received[0]?.url).toBe('/tenant/mfa/challenge')
    const fields = { challenge_type, mfa_token: SEALED, authenticator_id: authenticator.id }
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ ...CLIENT, ...fields })
  })

  it.each([
    [{ kind: 'shownCode', code } as const, { grant_type: 'mfa-otp', otp: '918273' }],
    [{ kind: 'outOfBand', oobCode, code } as const, { grant_type: 'mfa-oob', oob_code: OOB, binding_code: '918273' }],
    [{ kind: 'outOfBand', oobCode } as const, { grant_type: 'mfa-oob', oob_code: OOB }],
    [{ kind: 'recoveryCode', code } as const, { grant_type: 'mfa-recovery-code', recovery_code: '918273' }],
  ])(
    'gets the proof, with a grant type that contains the provider’s domain',
    async (proof, { grant_type, ...fields }) => {
      await api().verify(mfaToken, proof)
      expect(server.received[0]).toMatchObject({ method: 'POST', url: '/tenant/oauth/token' })
      const grant = { grant_type: `http://auth0.test/oauth/grant-type/${grant_type}` }
      expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ ...CLIENT, mfa_token: SEALED, ...grant, ...fields })
    },
  )

  it('lists the authenticators with plain labels, for the MFA token as Bearer', async () => {
    const name = '\u202e+41 89\u0007'
    server.answers(json(200, [{ id: 'sms|1', authenticator_type: 'oob', oob_channel: 'sms', name }]))
    const value = [{ id: 'sms|1', kind: 'textMessage', label: '+41 89' }]
    expect(await api().authenticators(mfaToken)).toEqual({ ok: true, value })
    expect(server.received[0]).toMatchObject({ method: 'GET', url: '/tenant/mfa/authenticators', body: '' })
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${SEALED}`)
  })

  it('is missing if the provider has no MFA API', async () => {
    server.answers({ status: 404, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' })
    expect(await api().authenticators(mfaToken)).toMatchObject({ failure: { problem: 'noSecondFactor' } })
  })
})
