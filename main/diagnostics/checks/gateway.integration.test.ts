import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { wellPorts } from '../../../test/support/healthy-desktop.ts'
import { checkGateway } from './gateway.ts'

describe('the check of the gateway', () => {
  const answering = async (headers: Record<string, string>) => {
    const server = createServer((_, response) => void response.writeHead(401, headers).end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { port: (server.address() as AddressInfo).port, server }
  }
  const OURS = { 'www-authenticate': 'Basic realm="Latchkey gateway (not your platform password)"' }

  test.each([
    ['ok', OURS, true, undefined],
    ['warning', OURS, false, undefined],
    ['warning', OURS, true, 'http_proxy'],
    ['failed', { 'www-authenticate': 'Basic realm="router"' }, true, undefined],
  ] as const)(
    'yields “%s” if the response has %j (password: %s, proxy: %s)',
    async (state, headers, hasPassword, proxy) => {
      const { port, server } = await answering(headers)
      const finding = await checkGateway({ port, hasPassword, proxiedBy: async () => proxy }, wellPorts())
      expect(finding).toMatchObject({ state, sentence: expect.stringContaining(String(port)) })
      server.close()
    },
  )

  test('yields a warning if no program listens on the port', async () => {
    const { port, server } = await answering(OURS)
    await new Promise((resolve) => server.close(resolve))
    const target = { port, hasPassword: true, proxiedBy: async () => undefined }
    expect(await checkGateway(target, wellPorts())).toMatchObject({ state: 'warning' })
  })
})
