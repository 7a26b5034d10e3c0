import { type Failure, NO_METADATA, OK, type Outcome } from '../../../contract/failures.ts'
import type { Clock } from '../../../main/base/clock.ts'
import { accessToken, refreshToken } from '../../../main/base/secret.ts'
import type { AuthService, TokenPair } from '../../../main/session/ports.ts'

export type Operation = 'login' | 'refresh' | 'logout' | 'changePassword'

export type Answer =
  | 'reply'
  /** The service acts, but its response is lost. */
  | 'loseReply'
  /** The request never reaches the service. */
  | 'unreachable'
  /** Nothing is sent, because the issuer's metadata are missing. */
  | 'noMetadata'
  /** A gateway refuses the request in place of the service. */
  | 'refuse'
  /** A bare 400 from the service or a gateway, without a reason. */
  | 'unclear'
  /** The service responds with 429, and with `Retry-After` in seconds. */
  | { readonly retryAfter: number }

export interface Client {
  readonly id: number
  readonly clock: Clock
  readonly isAlive: () => boolean
}

export interface ServiceRequest {
  readonly id: number
  readonly operation: Operation
  readonly client: Client
  /** The refresh token or the username that was sent. */
  readonly sent: string
  /** True once the client has stopped waiting, because it timed out or was killed. */
  readonly isAbandoned: () => boolean
  readonly answer: (answer: Answer) => void
}

export interface Family {
  readonly id: number
  readonly username: string
  readonly born: number
  readonly refreshToken: string
  isDead: boolean
}

interface ModelOptions {
  /** The time on the service's own clock, in milliseconds. */
  readonly now: () => number
  /** The lifetime of an access token, in seconds. */
  lifetime: number
  /** The time in milliseconds for which a used refresh token can be exchanged again. */
  grace: number
  /** True if each exchange replaces the refresh token. Otherwise each user has one, which never changes. */
  isOneTime: boolean
  revokesOnChange: boolean
  /** How long a session lasts, in seconds; by default for ever. */
  sessionLifetime?: number
  /** True if each response says when the session will end. */
  saysEnd?: boolean
  isRefreshable: boolean
  /** The subject of the next access token, if it isn't the username. */
  subject?: string | undefined
  /** The claims in access tokens: `noIat`, for example, leaves out `iat`. With `nothing`, the token isn't a JWT. */
  tells: 'all' | 'noIat' | 'noExp' | 'noSub' | 'nothing'
}

/** How long the client's network layer waits for a response, in milliseconds. */
const DEADLINE = { refresh: 20_000, others: 30_000 }

/** A part of every secret that this service issues, so that tests can search for leaks. */
export const SECRET_MARK = 'SECRET'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const failed = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
const REFUSED = failed({ code: 'sessionEnded' })
const LOST = failed({ code: 'unreachable', details: { sent: true } })
const OUTCOMES = {
  loseReply: LOST,
  unreachable: failed({ code: 'unreachable' }),
  noMetadata: failed({ code: 'unreachable', details: { cause: NO_METADATA, status: 404 } }),
  unclear: failed({ code: 'malformedResponse', details: { status: 400, cause: 'HTTP 400' } }),
}

/** A service with one-time refresh tokens and reuse detection. The test, or `answering`, decides about each request. */
export class ModelService {
  readonly options: ModelOptions
  readonly passwords = new Map([
    ['ana', `${SECRET_MARK} old password`],
    ['ben', `${SECRET_MARK} ben's password`],
  ])
  readonly families: Family[] = []
  /** The family of each login, the oldest first. If refresh tokens never change, each user has only one family. */
  readonly logins: Family[] = []
  readonly violations: string[] = []
  readonly log: string[] = []
  /** Decides what happens to a request. If it returns `undefined`, the test decides later. */
  answering: (request: ServiceRequest) => Answer | undefined = () => 'reply'
  pending: ServiceRequest[] = []
  readonly #observers: ((request: ServiceRequest) => void)[] = []
  readonly #tokens = new Map<string, { readonly family: Family; spentAt?: number }>()
  readonly #accessTokens = new Map<string, { readonly username: string; readonly expiresAt: number }>()
  /** For each client, the refresh tokens that were exchanged or revoked. */
  readonly #over = new Map<number, Set<string>>()
  /** A key for each pending refresh, from its client and its token family. */
  readonly #inFlight = new Set<string>()
  /** The newest refresh token that a client received, by client and family. */
  readonly #newest = new Map<string, string>()
  /** True if any access token has named a subject other than its user. */
  #hadStrangers = false
  readonly issuer: string
  /** Numbers all tokens. Two services that begin at different numbers never issue the same token. */
  #count: number

  constructor(
    options: Partial<ModelOptions> & Pick<ModelOptions, 'now'>,
    { issuer = 'https://data.example', countFrom = 0 } = {},
  ) {
    this.issuer = issuer
    this.#count = countFrom
    this.options = {
      lifetime: 3600,
      grace: 30_000,
      isOneTime: true,
      revokesOnChange: false,
      isRefreshable: true,
      tells: 'all',
      ...options,
    }
  }

  observe(observer: (request: ServiceRequest) => void): void {
    this.#observers.push(observer)
    this.answering = () => undefined
  }

  familyOf(token: string): Family | undefined {
    return this.#tokens.get(token)?.family
  }

  newestOf(family: Family, client: Client): string | undefined {
    return this.#newest.get(`${client.id} ${family.id}`)
  }

  isValid(token: string): boolean {
    const found = this.#tokens.get(token)
    const { sessionLifetime = Number.POSITIVE_INFINITY, now } = this.options
    if (found === undefined || found.family.isDead || now() - found.family.born >= sessionLifetime * 1_000) return false
    return found.spentAt === undefined || this.options.now() - found.spentAt < this.options.grace
  }

  client(client: Client): Required<AuthService> {
    return {
      issuer: this.issuer,
      login: ({ username, password }) =>
        this.#request(client, 'login', username, failed({ code: 'rejected' }), () =>
          this.passwords.get(username) === password.reveal()
            ? { ok: true, value: this.#issue(this.#logIn(username)) }
            : failed({ code: 'rejected' }),
        ),
      refresh: (token) =>
        this.#request(client, 'refresh', token.reveal(), REFUSED, () => this.#exchange(token.reveal())),
      logout: (access, token) =>
        this.#request(client, 'logout', token.reveal(), REFUSED, () => {
          if (this.#holderOf(access.reveal()) === undefined) return REFUSED
          const family = this.familyOf(token.reveal())
          if (family !== undefined) family.isDead = true
          return OK
        }),
      changePassword: (access, password) =>
        this.#request(client, 'changePassword', '', REFUSED, () => {
          const username = this.#holderOf(access.reveal())
          if (username === undefined) return REFUSED
          if (password.reveal().length < 3) return failed({ code: 'passwordRefused', serverText: 'Too short.' })
          this.passwords.set(username, password.reveal())
          if (this.options.revokesOnChange) {
            for (const family of this.families) if (family.username === username) family.isDead = true
          }
          return OK
        }),
    }
  }

  #request<T>(
    client: Client,
    operation: Operation,
    sent: string,
    refusal: Outcome<T>,
    run: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    this.log.push(`${operation} ${sent}`)
    const noteEnd = this.#noteSent(client, operation, sent)
    return new Promise((resolve) => {
      let isOver = false
      const deliver = (outcome: Outcome<T>) => {
        if (isOver) return
        isOver = true
        cancelDeadline()
        noteEnd(outcome)
        if (client.isAlive()) resolve(outcome)
      }
      const timeout = operation === 'refresh' ? DEADLINE.refresh : DEADLINE.others
      const cancelDeadline = client.clock.at(client.clock.now() + timeout, () => deliver(LOST))
      const request: ServiceRequest = {
        id: ++this.#count,
        operation,
        client,
        sent,
        isAbandoned: () => isOver || !client.isAlive(),
        answer: (answer) => {
          this.pending = this.pending.filter((each) => each !== request)
          if (answer === 'loseReply') run()
          if (typeof answer === 'object') deliver(failed({ code: 'rateLimited', ...answer }))
          else if (answer === 'reply') deliver(run())
          else deliver({ ...OUTCOMES, refuse: refusal }[answer])
        },
      }
      this.pending.push(request)
      for (const observer of this.#observers) observer(request)
      const answer = this.answering(request)
      if (answer !== undefined) request.answer(answer)
    })
  }

  /** Records a request and any misuse of its refresh token. Returns the function that records the request's outcome. */
  #noteSent(client: Client, operation: Operation, sent: string): (outcome: Outcome<unknown>) => void {
    if (operation !== 'refresh' && operation !== 'logout') return (outcome) => this.#noteDelivered(client, outcome)
    const over = this.#over.get(client.id) ?? new Set()
    this.#over.set(client.id, over)
    if (over.has(sent) && this.options.isOneTime)
      this.violations.push(`${operation} with ${sent}, which was answered before`)
    if (operation === 'logout') {
      return (outcome) => {
        if (outcome.ok) over.add(sent)
      }
    }
    const flight = `${client.id} ${this.familyOf(sent)?.id}`
    if (this.#inFlight.has(flight) && this.options.isOneTime)
      this.violations.push(`two refreshes in flight, the second with ${sent}`)
    this.#inFlight.add(flight)
    return (outcome) => {
      this.#inFlight.delete(flight)
      // If the service returned another user's token, the client must also revoke its own old token. To do so, it sends
      // that token a second time, which is allowed.
      if (outcome.ok && !this.#hadStrangers) over.add(sent)
      this.#noteDelivered(client, outcome)
    }
  }

  #noteDelivered(client: Client, outcome: Outcome<unknown>): void {
    if (!outcome.ok || !client.isAlive()) return
    const token = (outcome.value as Partial<TokenPair> | undefined)?.refreshToken?.reveal()
    const family = token === undefined ? undefined : this.familyOf(token)
    if (token !== undefined && family !== undefined) this.#newest.set(`${client.id} ${family.id}`, token)
  }

  #exchange(token: string): Outcome<TokenPair> {
    const found = this.#tokens.get(token)
    if (found === undefined) return REFUSED
    if (!this.isValid(token)) {
      // The reuse of a token after the grace period ends its session (RFC 9700 section 4.14.2).
      found.family.isDead = true
      return REFUSED
    }
    if (this.options.isOneTime) found.spentAt ??= this.options.now()
    return { ok: true, value: this.#issue(found.family) }
  }

  #logIn(username: string): Family {
    const family = this.#familyFor(username)
    this.logins.push(family)
    return family
  }

  #familyFor(username: string): Family {
    const living = this.families.find((each) => each.username === username && !each.isDead)
    if (!this.options.isOneTime && living !== undefined) return living
    const id = ++this.#count
    const refreshToken = `${SECRET_MARK}-refresh-${id}-0`
    const family = { id, username, born: this.options.now(), refreshToken, isDead: false }
    this.families.push(family)
    return family
  }

  #issue(family: Family): TokenPair {
    const { now, lifetime, isRefreshable, isOneTime, subject, tells } = this.options
    const id = ++this.#count
    const iat = 1_600_000_000 + Math.floor(now() / 1000)
    if (subject !== undefined) this.#hadStrangers = true
    const sub = subject ?? `sub of ${family.username}`
    const claims = {
      ...(tells === 'noSub' ? {} : { sub }),
      name: `Name of ${family.username}`,
      ...(tells === 'noIat' ? {} : { iat }),
      ...(tells === 'noExp' ? {} : { exp: iat + lifetime }),
    }
    const secret = `${SECRET_MARK}-access-${id}`
    const access = tells === 'nothing' ? secret : `${part({ alg: 'none' })}.${part(claims)}.${secret}`
    this.#accessTokens.set(access, { username: family.username, expiresAt: now() + lifetime * 1000 })
    const token = isOneTime ? `${SECRET_MARK}-refresh-${family.id}-${id}` : family.refreshToken
    this.#tokens.set(token, { family })
    const { sessionLifetime = 0, saysEnd = false } = this.options
    const left = Math.round(family.born / 1_000 + sessionLifetime - now() / 1_000)
    return {
      accessToken: accessToken(access),
      ...(isRefreshable && { refreshToken: refreshToken(token) }),
      ...(saysEnd && { refreshExpiresIn: left }),
    }
  }

  #holderOf(access: string): string | undefined {
    const found = this.#accessTokens.get(access)
    return found !== undefined && this.options.now() < found.expiresAt ? found.username : undefined
  }
}
