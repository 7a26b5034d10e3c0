import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { causeInWords } from '../../../text/cause.ts'
import type { Finding } from '../line.ts'
import { causeOf, type Ports } from '../ports.ts'

/** Resolves a name with the system's own resolver, as the app does. */
export const resolveName = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** Checks that this desktop can resolve the host's name or, with a proxy, the proxy's. */
export async function checkName(
  url: URL,
  { proxiesFor, resolve, texts }: Ports<'proxiesFor' | 'resolve' | 'texts'>,
): Promise<Finding> {
  const says = texts.diagnostics.name
  const [proxy = 'direct'] = await proxiesFor(url)
  const host = (proxy === 'direct' ? url.hostname : proxy.host).replace(/^\[|\]$/g, '')
  const details = proxy === 'direct' ? {} : { details: [says.leftToProxy(url.hostname)] }
  if (isIP(host) !== 0) return { state: 'ok', sentence: says.isAddress(host), ...details }
  try {
    return { state: 'ok', sentence: says.found(host, await resolve(host)), ...details }
  } catch (error) {
    return { state: 'failed', ...says.notFound(host, causeInWords(texts.causes, causeOf(error))), ...details }
  }
}
