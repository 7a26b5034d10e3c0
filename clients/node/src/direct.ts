import { LatchkeyError } from './error.ts'

/** The browser's types of `fetch` lack the option `dispatcher`, so here it is just an object. */
type Dispatcher = object

/** Where `fetch` finds its dispatcher. Since version 8, undici uses the second place, and wraps it in the first. */
const FIRST = Symbol.for('undici.globalDispatcher.1')
const SECOND = Symbol.for('undici.globalDispatcher.2')
type Globals = Readonly<Record<symbol, Dispatcher | undefined>>

/** SECURITY: without TLS, a proxy could read the token. */
export function sentDirectly(
  init: { readonly dispatcher?: Dispatcher },
  origin: string,
  globals = globalThis as unknown as Globals,
): object {
  const used = init.dispatcher === undefined ? inUse(globals) : [init.dispatcher]
  // Node's default, an Agent, uses no proxy.
  const others = used.filter((dispatcher) => dispatcher.constructor.name !== 'Agent')
  const [first] = others
  if (first === undefined) return {}
  if (others.every((dispatcher) => dispatcher.constructor.name === 'EnvHttpProxyAgent')) {
    // Node uses this class with NODE_USE_ENV_PROXY. With these options, the agent uses no proxy.
    const Direct = first.constructor as new (options: object) => Dispatcher
    return { dispatcher: new Direct({ httpProxy: '', httpsProxy: '', noProxy: '*' }) }
  }
  throw new LatchkeyError(
    'unencrypted',
    `The token isn't sent to ${origin}, because the request could go through a proxy, unencrypted. Send it without a ` +
      'dispatcher of your own.',
  )
}

function inUse({ [FIRST]: first, [SECOND]: second }: Globals): Dispatcher[] {
  const isWrapper = second !== undefined && first?.constructor.name === 'Dispatcher1Wrapper'
  return [second, isWrapper ? undefined : first].filter((dispatcher) => dispatcher !== undefined)
}
