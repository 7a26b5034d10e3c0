/** Keeps requests without TLS on this machine. */
import { LatchkeyError } from './error.ts'

type Dispatcher = NonNullable<RequestInit['dispatcher']>

/** Node and undici keep the dispatcher of `fetch` here: https://undici.nodejs.org/#/docs/api/Dispatcher */
const GLOBAL = Symbol.for('undici.globalDispatcher.1')

/** What to send a request without TLS with. SECURITY: a proxy could read the token. */
export function sentDirectly(init: RequestInit, origin: string): Pick<RequestInit, 'dispatcher'> {
  const dispatcher = init.dispatcher ?? (globalThis as Record<symbol, unknown>)[GLOBAL]
  // Node's default uses no proxy.
  if (dispatcher === undefined) return {}
  const kind = (dispatcher as Dispatcher).constructor
  if (kind.name === 'Agent') return {}
  if (kind.name === 'EnvHttpProxyAgent') {
    // With NODE_USE_ENV_PROXY, Node sends through the proxies that the environment names.
    const Direct = kind as new (options: object) => Dispatcher
    return { dispatcher: new Direct({ httpProxy: '', httpsProxy: '', noProxy: '*' }) }
  }
  throw new LatchkeyError(
    'unencrypted',
    `The token isn't sent to ${origin}, because the request could go through a proxy, unencrypted. Send it without a ` +
      'dispatcher of your own.',
  )
}
