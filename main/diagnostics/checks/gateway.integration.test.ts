import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { wellPorts } from '../../../test/support/healthy-desktop.ts'
import { listening } from '../../../test/support/local-servers.ts'
import { checkGateway } from './gateway.ts'

const REALM = 'Latchkey gateway (not your platform password)'

test.each([
  ['ok', REALM, true, undefined],
  ['warning', REALM, false, undefined],
  ['warning', REALM, true, 'http_proxy'],
  ['failed', 'router', true, undefined],
])(
  'the check of the gateway yields “%s” for the realm %j (password: %s, proxy: %s)',
  async (state, realm, hasPassword, proxy) => {
    const headers = { 'www-authenticate': `Basic realm="${realm}"` }
    const { port, stop } = await listening(createServer((_, response) => void response.writeHead(401, headers).end()))
    const target = { port, hasPassword, proxiedBy: async () => proxy }
    const sentence = expect.stringContaining(String(port))
    expect(await checkGateway(target, wellPorts())).toMatchObject({ state, sentence })
    stop()
    expect(await checkGateway(target, wellPorts())).toMatchObject({ state: 'warning', sentence })
  },
)
