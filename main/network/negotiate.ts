/**
 * Signs in to a proxy as the user of this desktop (RFC 4559): with a Kerberos ticket or, on Windows, also with NTLM.
 * The system's own library makes the tokens, so Latchkey sees no password.
 */
import { createInTurn } from '../base/waits.ts'
import { type Negotiation, NegotiationError, type NegotiationProblem, type NegotiationScheme } from './negotiation.ts'

export interface Negotiator {
  /** The schemes that the system's library supports, the better ones first. */
  readonly schemes: readonly NegotiationScheme[]
  begin(scheme: NegotiationScheme, host: string): Promise<Negotiation>
}

/** Loads the native module and the system's library at the first sign-in, because most proxies need neither. */
export function createNegotiator(platform: NodeJS.Platform): Negotiator {
  const isWindows = platform === 'win32'
  return {
    schemes: isWindows ? ['Negotiate', 'NTLM'] : ['Negotiate'],
    async begin(scheme, host) {
      try {
        if (isWindows) return oneAtATime((await import('./sspi.ts')).negotiateWithSspi(scheme, host))
        return oneAtATime((await import('./gssapi.ts')).negotiateWithGssapi(platform, host))
      } catch (error) {
        throw error instanceof NegotiationError ? error : new NegotiationError('no Kerberos library', error)
      }
    },
  }
}

const inTurn = createInTurn()
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')

/**
 * A call of the library can wait a minute for its server, and can't be stopped. So only one call at a time may occupy
 * one of the process's four threads, which are also needed to read files and resolve names.
 */
function oneAtATime(own: Negotiation): Negotiation {
  const ended = new AbortController()
  return {
    next: (challenge) =>
      inTurn(async () => {
        ended.signal.throwIfAborted()
        process.once('exit', endAtOnce)
        return own.next(challenge).finally(() => process.off('exit', endAtOnce))
      }),
    end() {
      ended.abort(new NegotiationError('no Kerberos ticket'))
      inTurn(async () => own.end())
    },
  }
}

/**
 * The best scheme that the proxy offers. Proxies may write a scheme's name in upper or lower case (RFC 9110 section
 * 11.1).
 */
export const schemeFor = (
  schemes: readonly NegotiationScheme[],
  offered: readonly string[],
): NegotiationScheme | undefined =>
  schemes.find((each) => offered.some((name) => name.toLowerCase() === each.toLowerCase()))

/**
 * Explains why the user can't sign in to this proxy with one of these schemes. Resolves to `undefined` if there is a
 * token for the proxy.
 */
export async function negotiationProblem(
  { schemes, begin }: Negotiator,
  offered: readonly string[],
  host: string,
): Promise<NegotiationProblem | 'unsupported' | undefined> {
  const scheme = schemeFor(schemes, offered)
  if (scheme === undefined) return 'unsupported'
  try {
    const negotiation = await begin(scheme, host)
    await negotiation.next(undefined).finally(() => negotiation.end())
    return undefined
  } catch (error) {
    return error instanceof NegotiationError ? error.problem : 'no Kerberos library'
  }
}
