import { type Failure, type FailureCode, fail, OK, type Outcome } from '../../contract/failures.ts'
import { isBasicUsername } from '../../contract/input-fields.ts'
import type { AuthService, TokenPair } from '../session/ports.ts'
import type { HttpClient } from './http-client.ts'
import { type HttpRequest, isBasicPassword, REFRESH_TIMEOUT_MS } from './request.ts'
import {
  challengesBasic,
  commonFailure,
  failureOf,
  type HttpResponse,
  isSuccess,
  jsonObjectOf,
  parseResponse,
  plainTextWordsOf,
  reportsError,
  serverTimeOf,
  temporaryCode,
} from './response.ts'
import { tokenPair } from './schemas.ts'

interface AuthServiceOptions {
  /** The service's address, without a query and without a slash at the end. */
  readonly baseAddress: string
  readonly http: HttpClient
}

type Operation = 'login' | 'logout' | 'refresh' | 'changePassword'
type Refusals = { readonly [status: number]: FailureCode }

/**
 * Says which 4xx responses are refusals, and what each of them means. A 401 needs no JSON to be a refusal. The other
 * statuses may come from a gateway, so they are refusals only if the response contains a JSON object. The refusal of a
 * new password may also be plain text: if a gateway sent it, the user just keeps the old password.
 */
const REFUSALS: {
  readonly [O in Operation]: {
    readonly always?: FailureCode
    readonly withObject: Refusals
    readonly withWords?: Refusals
  }
} = {
  login: { always: 'rejected', withObject: { 400: 'rejected', 403: 'rejected', 422: 'rejected' } },
  refresh: { withObject: { 400: 'sessionEnded', 403: 'sessionEnded' } },
  logout: { withObject: { 400: 'sessionEnded', 403: 'sessionEnded' } },
  changePassword: {
    withObject: { 400: 'passwordRefused', 403: 'passwordRefused', 409: 'passwordRefused', 422: 'passwordRefused' },
    withWords: { 400: 'passwordRefused', 422: 'passwordRefused' },
  },
}

const SAYS_SINGLE_SIGN_ON =
  /\b(?:only|must)\s[^.]{0,60}\b(?:single sign[- ]?on|SSO)\b|\b(?:single sign[- ]?on|SSO)(?: is| login is)? (?:only|required|enforced)\b/i

function failureFrom(operation: Operation, response: HttpResponse): Failure | undefined {
  const failure = refusalOrFault(operation, response)
  const mustUseSingleSignOn =
    operation === 'login' &&
    failure?.code === 'rejected' &&
    failure.problem === undefined &&
    SAYS_SINGLE_SIGN_ON.test(failure.serverText ?? '')
  return mustUseSingleSignOn ? { ...failure, problem: 'singleSignOnOnly' } : failure
}

function refusalOrFault(operation: Operation, response: HttpResponse): Failure | undefined {
  const { status } = response
  if (operation === 'login' && status === 401 && challengesBasic(response)) return failureOf(response, 'rejected')
  const common = commonFailure(response)
  if (common !== undefined) return common
  if (isSuccess(response) && !reportsError(response)) return undefined
  const temporary = temporaryCode(response)
  if (temporary !== undefined) return failureOf(response, temporary)
  // An error that comes with a 2xx status is treated like a 400.
  if (isSuccess(response)) return failureOf(response, REFUSALS[operation].withObject[400] ?? 'malformedResponse')
  const { always = 'sessionEnded', withObject, withWords } = REFUSALS[operation]
  const byContent = jsonObjectOf(response) ? withObject[status] : plainTextWordsOf(response) && withWords?.[status]
  const refusal = status === 401 ? always : byContent
  // A response that couldn't be read completely is no refusal, whatever its status.
  if (!refusal || response.defect !== undefined) {
    return failureOf(response, 'malformedResponse', response.defect ?? `HTTP ${status}`)
  }
  return failureOf(response, refusal)
}

function issuedTokens(response: HttpResponse): Outcome<TokenPair> {
  const parsed = parseResponse(response, tokenPair)
  if (!parsed.ok) return parsed
  const { token, refreshToken } = parsed.value
  const serverTime = serverTimeOf(response)
  return {
    ok: true,
    value: { accessToken: token, refreshToken, ...(serverTime !== undefined && { serverTime }) },
  }
}

export function createAuthService({ baseAddress, http }: AuthServiceOptions): AuthService {
  async function ask<T>(
    operation: Operation,
    request: Omit<HttpRequest, 'operation' | 'url'>,
    read: (response: HttpResponse) => Outcome<T>,
  ): Promise<Outcome<T>> {
    const sent = await http.send({ ...request, operation, url: new URL(`${baseAddress}/auth/${operation}`) })
    if (!sent.ok) return sent
    const failure = failureFrom(operation, sent.value)
    return failure === undefined ? read(sent.value) : fail(failure)
  }

  return {
    issuer: baseAddress,

    async login({ username, password }) {
      const unfit = !isBasicUsername(username) ? 'username' : !isBasicPassword(password) ? 'password' : undefined
      if (unfit !== undefined) {
        return fail({ code: 'invalidInput', details: { operation: 'login', cause: unfit } })
      }
      return ask('login', { method: 'GET', authorization: { kind: 'basic', username, password } }, issuedTokens)
    },

    refresh(refreshToken) {
      return ask('refresh', { method: 'POST', json: { refreshToken }, timeoutMs: REFRESH_TIMEOUT_MS }, issuedTokens)
    },

    logout(token, refreshToken) {
      return ask(
        'logout',
        { method: 'POST', authorization: { kind: 'bearer', token }, json: { refreshToken } },
        () => OK,
      )
    },

    changePassword(token, password) {
      const authorization = { kind: 'bearer', token } as const
      return ask('changePassword', { method: 'POST', authorization, json: { password } }, () => OK)
    },
  }
}

/** The timeout for an address that the user has just typed. */
const REACH_TIMEOUT_MS = 10_000

/** Succeeds if any server responds, even if it isn't the service. SECURITY: sends no credentials. */
export async function reach(http: Pick<HttpClient, 'send'>, baseAddress: string): Promise<Outcome> {
  const outcome = await http.send({
    operation: 'connect',
    method: 'GET',
    url: new URL(baseAddress),
    timeoutMs: REACH_TIMEOUT_MS,
  })
  return outcome.ok ? OK : outcome
}
