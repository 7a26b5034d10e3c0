import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { httpServer, testClient } from '../../test/support/local-servers.ts'
import { reach } from './auth-service.ts'

it('an address is reached if any server responds there, and gets no credentials', async () => {
  const seen: (string | undefined)[] = []
  const { port, stop } = await httpServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(503, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  })
  expect(await reach(testClient({}), `http://127.0.0.1:${port}`)).toEqual(OK)
  expect(seen).toEqual([undefined])
  stop()
  expect(await reach(testClient({}), `http://127.0.0.1:${port}`)).toMatchObject({
    failure: { code: 'unreachable', details: { operation: 'connect', cause: 'ECONNREFUSED' } },
  })
})
