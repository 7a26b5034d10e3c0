import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectWithout, json, scriptedServer, testClient } from '../../test/support/local-servers.ts'
import { Secret } from '../base/secret.ts'
import { createSecondFactor } from './identity-provider.ts'

/** Auth0 seals its MFA tokens and out-of-band codes with iron, which joins the parts with `*`. */
const SEALED = 'Fe26.2*82dcca*be81490d3f*aGVs*1760000000000*c2Fs*bWFj~2'
const OOB = 'Fe26.2*1a2b3c*0f1e2d3c4b*b29i*1760000000001*c2Fs*bWFj~2'
const SECRETS = [SEALED, 'client-secret-value', '918273']
const mfaToken = new Secret('MFA token', SEALED)
const oobCode = new Secret('out-of-band code', OOB)
const code = new Secret('code', '918273')

const server = await scriptedServer()
afterAll(server.stop)
beforeEach(() => server.answers({ status: 500 }))

const api = () =>
  createSecondFactor({
    authAddress: `${server.address}/tenant`,
    providerDomain: 'identity.example',
    clientId: 'latchkey-desktop',
    clientSecret: new Secret('client secret', 'client-secret-value'),
    http: testClient(),
  })
const otp = { id: 'totp|1', kind: 'app' } as const

describe('the client sends', () => {
  it('the MFA token as Bearer, to list the authenticators', async () => {
    server.answers(json(200, []))
    await api().authenticators(mfaToken)
    expect(server.received[0]).toMatchObject({ method: 'GET', url: '/tenant/mfa/authenticators', body: '' })
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${SEALED}`)
  })

  it.each([
    [otp, 'otp'],
    [{ id: 'sms|1', kind: 'textMessage' } as const, 'oob'],
  ])('a challenge request for one authenticator: $kind', async (authenticator, challenge_type) => {
    await api().challenge(mfaToken, authenticator)
    expect(server.received[0]?.url).toBe('/tenant/mfa/challenge')
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      client_id: 'latchkey-desktop',
      client_secret: 'client-secret-value',
      challenge_type,
      mfa_token: SEALED,
      authenticator_id: authenticator.id,
    })
  })

  it.each([
    [{ kind: 'shownCode', code } as const, { grant_type: 'mfa-otp', otp: '918273' }],
    [{ kind: 'outOfBand', oobCode, code } as const, { grant_type: 'mfa-oob', oob_code: OOB, binding_code: '918273' }],
    [{ kind: 'outOfBand', oobCode } as const, { grant_type: 'mfa-oob', oob_code: OOB }],
    [{ kind: 'recoveryCode', code } as const, { grant_type: 'mfa-recovery-code', recovery_code: '918273' }],
  ])('the proof, with a grant type that contains the provider’s domain', async (proof, { grant_type, ...fields }) => {
    await api().verify(mfaToken, proof)
    expect(server.received[0]).toMatchObject({ method: 'POST', url: '/tenant/oauth/token' })
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      client_id: 'latchkey-desktop',
      client_secret: 'client-secret-value',
      mfa_token: SEALED,
      grant_type: `http://identity.example/oauth/grant-type/${grant_type}`,
      ...fields,
    })
  })
})

describe('the client', () => {
  it('reads active authenticators of a known kind, with plain labels', async () => {
    const oob = { authenticator_type: 'oob', active: true }
    server.answers(
      json(200, [
        { id: 'totp|1', authenticator_type: 'otp', active: true },
        { ...oob, id: 'sms|1', oob_channel: 'sms', name: '\u202e+41 89\u0007' },
        { ...oob, id: 'email|1', oob_channels: ['unknown', 'email'] },
        { id: 'webauthn|1', authenticator_type: 'webauthn-roaming', active: true },
        { id: 'recovery|1', authenticator_type: 'recovery-code' },
        { id: 'totp|2', authenticator_type: 'otp', active: false },
      ]),
    )
    expect(await api().authenticators(mfaToken)).toEqual({
      ok: true,
      value: [
        otp,
        { id: 'sms|1', kind: 'textMessage', label: '+41 89' },
        { id: 'email|1', kind: 'email' },
        { id: 'recovery|1', kind: 'recoveryCode' },
      ],
    })
  })

  it('SECURITY: an error that repeats the MFA token and the code is shown without them', async () => {
    server.answers(json(403, { error: 'invalid_grant', error_description: `code 918273 of ${SEALED}` }))
    const answer = await api().verify(mfaToken, { kind: 'shownCode', code })
    expect(answer).toMatchObject({ failure: { code: 'rejected' } })
    expectWithout(answer, SECRETS)
  })

  it('says that there is no second factor if the provider has no MFA API', async () => {
    server.answers({ status: 404, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' })
    expect(await api().authenticators(mfaToken)).toMatchObject({ failure: { problem: 'noSecondFactor' } })
  })
})
