import { describe, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { httpServer, tcpServer, testClient } from '../../test/support/local-servers.ts'
import { running } from '../../test/support/running.ts'
import { reach } from './auth-service.ts'

describe('reaching an address', () => {
  it.each([200, 302, 401, 404, 503])('succeeds if a server answers with status %i', async (status) => {
    const seen: (string | undefined)[] = []
    const { port } = await running(
      httpServer((request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(status, { 'content-type': 'text/html' }).end('<p>Hello</p>')
      }),
    )
    await expect(reach(testClient({}), `http://127.0.0.1:${port}`)).resolves.toEqual(OK)
    // SECURITY: no credentials are sent.
    expect(seen).toEqual([undefined])
  })

  it('fails if no server answers', async () => {
    const { port, stop } = await tcpServer(() => {})
    stop()
    await expect(reach(testClient({}), `http://127.0.0.1:${port}`)).resolves.toMatchObject({
      failure: { code: 'unreachable', details: { operation: 'connect', cause: 'ECONNREFUSED' } },
    })
  })
})
