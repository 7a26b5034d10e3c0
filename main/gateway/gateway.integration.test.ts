import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayRig, startGateway } from '../../test/gateway/rig.ts'

let rig: GatewayRig
afterEach(() => rig.end())

describe('a request that may pass', () => {
  it('it gets the access token, its own path and query, and no trace of the gateway’s password', async () => {
    rig = await startGateway({ basePath: '/v1' })
    expect(await rig.ask('/v1/tables?top=10&skip=%2F')).toMatchObject({ status: 200, body: 'rows' })
    const [{ url, headers, rawHeaders } = { headers: {}, rawHeaders: [], url: '' }] = rig.seen
    expect(url).toBe('/v1/tables?top=10&skip=%2F')
    expect(headers).toMatchObject({
      host: `127.0.0.1:${rig.servicePort}`,
      authorization: 'Bearer token-1',
      'x-forwarded-host': `127.0.0.1:${rig.port}`,
      'x-forwarded-proto': 'http',
    })
    expect(JSON.stringify(rawHeaders)).not.toContain(rig.authorization.slice(6))
  })
})
