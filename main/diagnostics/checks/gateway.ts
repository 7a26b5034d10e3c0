import { request } from 'node:http'
import { assertNever } from '../../../contract/assert-never.ts'
import type { Finding } from '../line.ts'
import { causeOf, type GatewayTarget, type Ports } from '../ports.ts'

const TIMEOUT_MS = 2_000

/** Checks that tools reach the gateway directly and not through a proxy, and that it has a password. */
export async function checkGateway(
  { port, hasPassword, proxiedBy }: GatewayTarget,
  { texts }: Ports<'texts'>,
): Promise<Finding> {
  const says = texts.diagnostics.gateway
  const address = `http://127.0.0.1:${port}`
  const found = await askAt(port)
  switch (found) {
    case 'nobody':
      return { state: 'warning', ...says.notRunning(address) }
    case 'other':
      return { state: 'failed', ...says.portTaken(port) }
    case 'gateway': {
      if (!hasPassword) return { state: 'warning', ...says.noPassword(address) }
      const proxy = await proxiedBy()
      if (proxy !== undefined) return { state: 'warning', ...says.proxied(address, proxy) }
      return { state: 'ok', sentence: says.good(address) }
    }
    default:
      return assertNever(found)
  }
}

/** SECURITY: sends no password. */
function askAt(port: number): Promise<'gateway' | 'other' | 'nobody'> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, agent: false, timeout: TIMEOUT_MS }, (answer) => {
      const isOurs = answer.statusCode === 401 && answer.headers['www-authenticate']?.includes('Latchkey gateway')
      resolve(isOurs === true ? 'gateway' : 'other')
      answer.destroy()
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', (error) => resolve(causeOf(error) === 'ECONNREFUSED' ? 'nobody' : 'other'))
    asked.end()
  })
}
