/** Signs in to a proxy as this desktop's user (RFC 4559). The system's library makes the tokens: we see no password. */
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

/** A call can wait a minute and can't be stopped. So only one may occupy one of the process's four threads. */
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

/** The best scheme. Proxies may write its name in upper or lower case (RFC 9110 section 11.1). */
export const schemeFor = (
  schemes: readonly NegotiationScheme[],
  offered: readonly string[],
): NegotiationScheme | undefined =>
  schemes.find((each) => offered.some((name) => name.toLowerCase() === each.toLowerCase()))

/** Why the user can't sign in with one of these schemes; `undefined` if there is a token for the proxy. */
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
