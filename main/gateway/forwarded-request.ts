import { type ClientRequest, type IncomingMessage, request as overTcp, type ServerResponse } from 'node:http'
import { request as overTls } from 'node:https'
import { pipeline } from 'node:stream'
import { sendReply } from '../agent/replies.ts'
import { TOKEN_TO_SEND, type TokenBroker } from '../agent/token-broker.ts'
import type { AskResult, TokenResult } from '../agent/token-source.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken } from '../base/secret.ts'
import { unlessAborted } from '../base/waits.ts'
import type { KeepAliveAgents } from '../network/keep-alive-agents.ts'
import { errorWithCode, MOST_INTERIM_RESPONSES } from '../service/exchange-error.ts'
import { hasOtherCoding, headerValues } from './head.ts'
import { headersToService, headersToTool, locationFor } from './headers.ts'
import { type Refusal, refusalOf, responseOf } from './refusals.ts'
import { RequestBody } from './request-body.ts'

/** The largest head of a request or response, in bytes. */
export const LARGEST_HEAD = 64 * 1_024

interface ForwardedRequestPorts {
  readonly service: URL
  readonly agents: KeepAliveAgents
  readonly broker: Pick<TokenBroker, 'ask' | 'rejected'>
  readonly clock: Pick<Clock, 'now'>
  /** Called when the request gets a token, or gets none because nobody is signed in. */
  readonly onAsked: (result: AskResult) => void
}

/** If the response hasn't begun, the tool gets the refusal. */
class Ended extends Error {
  readonly refusal: Refusal
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal, retryAfter?: number) {
    super(refusal)
    this.refusal = refusal
    this.retryAfter = retryAfter
  }
}

export class ForwardedRequest {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #target: string
  readonly #ports: ForwardedRequestPorts
  readonly #body: RequestBody
  readonly #ending = new AbortController()

  constructor(request: IncomingMessage, response: ServerResponse, target: string, ports: ForwardedRequestPorts) {
    this.#request = request
    this.#response = response
    this.#target = target
    this.#ports = ports
    this.#body = new RequestBody(request)
    response.once('close', () => this.#ending.abort(new Ended('stopping')))
  }

  /** Ends the request at once, even in the middle of a response. */
  end(refusal: Refusal): void {
    this.#ending.abort(new Ended(refusal))
    if (this.#response.headersSent) this.#response.destroy()
  }

  /** Passes the request on, and answers it. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#pass()
    } catch (error) {
      const { refusal, retryAfter } =
        error instanceof Ended ? error : { refusal: refusalOf(error), retryAfter: undefined }
      refuse(this.#response, refusal, retryAfter)
    }
  }

  async #pass(): Promise<void> {
    const token = await this.#token((reply) => this.#ports.broker.ask(TOKEN_TO_SEND, reply))
    this.#ports.onAsked('token')
    let answer = await this.#send(token)
    if (answer.statusCode === 401) {
      this.#body.hold()
      answer.destroy()
      const { mayRepeat } = this.#body
      const renewed = await this.#token((reply) => this.#ports.broker.rejected(token, reply))
      if (!mayRepeat) throw new Ended('rejectedOnce')
      answer = await this.#send(renewed)
      if (answer.statusCode === 401) throw this.#refused(answer, 'rejected')
    }
    this.#return(answer)
  }

  #token(ask: (reply: (answer: TokenResult) => void) => () => void): Promise<AccessToken> {
    return unlessAborted(this.#ending.signal, (resolve, reject) =>
      ask((answer) => {
        if (answer.kind === 'token') return resolve(answer.token.accessToken)
        if (answer.kind === 'signedOut') this.#ports.onAsked('signedOut')
        const { retryAt } = { retryAt: undefined, ...answer }
        const wait = retryAt === undefined ? undefined : Math.ceil((retryAt - this.#ports.clock.now()) / 1_000)
        const refusal = answer.kind === 'stopping' || answer.kind === 'signedOut' ? answer.kind : 'unavailable'
        reject(new Ended(refusal, wait && Math.max(1, wait)))
      }),
    )
  }

  async #send(token: AccessToken): Promise<IncomingMessage> {
    const { agents } = this.#ports
    const { method, headers } = this.#request
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    // The service may close a reused connection at any moment, so only a request that can be sent again reuses one.
    const mayReuse = (method === 'GET' || method === 'HEAD') && !hasBody
    const sent = this.#begin(token, mayReuse ? agents.reusing : agents.fresh)
    try {
      return await this.#answer(sent)
    } catch (error) {
      if (!sent.reusedSocket || this.#ending.signal.aborted) throw error
      return this.#answer(this.#begin(token, agents.fresh))
    }
  }

  #begin(token: AccessToken, agent: KeepAliveAgents['fresh']): ClientRequest {
    // The request may have ended while it waited for the token.
    this.#ending.signal.throwIfAborted()
    const { service } = this.#ports
    const { rawHeaders, method, headers } = this.#request
    const isChunked = headers['transfer-encoding'] !== undefined
    const gateway = headers.host ?? ''
    const open = service.protocol === 'https:' ? overTls : overTcp
    const sent = open({
      protocol: service.protocol,
      host: service.hostname.replace(/^\[|\]$/g, ''),
      port: service.port,
      method,
      path: this.#target,
      headers: headersToService(rawHeaders, { host: service.host, token: token.reveal(), gateway, isChunked }),
      agent,
      maxHeaderSize: LARGEST_HEAD,
      // SECURITY: a response that could be read in two ways is an error.
      insecureHTTPParser: false,
    })
    this.#ending.signal.addEventListener('abort', () => sent.destroy(), { once: true })
    this.#body.sendTo(sent)
    return sent
  }

  #answer(sent: ClientRequest): Promise<IncomingMessage> {
    return unlessAborted(this.#ending.signal, (resolve, reject) => {
      let interim = 0
      // SECURITY: all headers of the response are checked, however many there are.
      sent.maxHeadersCount = 0
      // SECURITY: without this limit, endless interim responses would keep the tool waiting.
      sent.on('information', () => {
        interim += 1
        if (interim > MOST_INTERIM_RESPONSES) sent.destroy(errorWithCode('HTTP 1xx'))
      })
      sent.once('upgrade', (_, socket) => {
        socket.destroy()
        reject(errorWithCode('HTTP 101'))
      })
      sent.once('response', resolve)
      // Once the head has arrived, the response itself reports errors.
      sent.on('error', reject)
      return () => {}
    })
  }

  #return(answer: IncomingMessage): void {
    const { statusCode: status = 502, rawHeaders } = answer
    // SECURITY: Node decodes only `chunked`. The tool would take the bytes of another transfer coding for the body.
    if (hasOtherCoding(rawHeaders)) throw this.#refused(answer, 'badAnswer')
    // Node passes on a 101 without `Upgrade`. The tool would take the next response for the final one to this request.
    if (status < 200) throw this.#refused(answer, 'badAnswer')
    // SECURITY: the proxy wants a password from Latchkey, so the tool mustn't be asked for one.
    if (status === 407) throw this.#refused(answer, 'proxy')
    const location = this.#locationFor(headerValues(rawHeaders, 'location')[0])
    if (location === 'otherServer' && status >= 300 && status < 400) throw this.#refused(answer, 'otherServer')
    // The service's reason phrase is left out, because it may have characters that a tool doesn't accept.
    this.#response.writeHead(status, headersToTool(rawHeaders, location === 'otherServer' ? undefined : location))
    // If no part of the body has arrived yet, the tool gets the headers now, and otherwise together with that part.
    if (answer.readableLength === 0 && !answer.complete) this.#response.flushHeaders()
    pipeline(answer, this.#response, () => {})
  }

  #locationFor(value: string | undefined): string | undefined | 'otherServer' {
    if (value === undefined) return undefined
    return locationFor(value, new URL(this.#target, this.#ports.service), this.#request.headers.host ?? '')
  }

  #refused(answer: IncomingMessage, refusal: Refusal): Ended {
    answer.destroy()
    return new Ended(refusal)
  }
}

/** If a response has begun, breaks it off, so that it doesn't seem complete. */
export function refuse(response: ServerResponse, refusal: Refusal, retryAfter?: number): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  sendReply(response, responseOf(refusal, retryAfter))
}
