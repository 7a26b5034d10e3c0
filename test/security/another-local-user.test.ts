import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { createAuthService } from '../../main/service/auth-service.ts'
import { testClient } from '../../main/service/testing.ts'
import { password } from '../../main/session/secret.ts'

const LOCALHOST = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]
const JSON_TYPE = { 'content-type': 'application/json' }

describe('Another user of the same computer', () => {
  test.todo(
    'the app and the command refuse a socket below a folder that somebody else can write, however far above it is',
  )

  // ---

  test.todo('the command refuses a socket that is not the user’s own, and sends it nothing')

  // ---

  test.todo('the command prints no control character of what a socket answers')

  // ---

  test('http://localhost is 127.0.0.1 alone, so that whoever holds [::1] gets no password', async () => {
    const received: (string | undefined)[] = []
    const stranger = createServer(({ headers }, response) => {
      received.push(headers.authorization)
      response.end()
    })
    await once(stranger.listen(0, '::1'), 'listening')
    onTestFinished(() => void stranger.close())
    const { port } = stranger.address() as AddressInfo
    const signIn = async () => {
      // A machine that names [::1] first, as most do.
      const resolver = vi.spyOn(dns, 'lookup') as unknown as MockInstance<LookupFunction>
      resolver.mockImplementation((_name, { all }, done) => (all ? done(null, LOCALHOST) : done(null, '::1', 6)))
      const service = createAuthService({ baseAddress: `http://localhost:${port}`, http: testClient() })
      return service.login({ username: 'ana', password: password('hush') }).finally(() => resolver.mockRestore())
    }

    await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(received).toEqual([])

    // The service itself, at 127.0.0.1 of the same port, is reached.
    const service = createServer((_request, response) => response.writeHead(401, JSON_TYPE).end('{}'))
    await once(service.listen(port, '127.0.0.1'), 'listening')
    onTestFinished(() => void service.close())
    await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'rejected' } })
    expect(received).toEqual([])
  })

  // ---

  test.todo('a policy file is read by the path that was checked, however fast a link is flipped')

  // ---

  test.todo('a data folder that belongs to somebody else, or that others can write, is refused')

  // ---

  test.todo(
    'a core dump of the packaged Linux app holds no memory of it, or the documentation says how to switch cores off',
  )

  // ---

  test.todo('on Windows the owner of the agent’s pipe is compared before the secret is sent')
})
