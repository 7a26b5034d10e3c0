import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { accessToken } from '../session/secret.ts'
import { readBody } from './body.ts'
import type { Clients } from './clients.ts'
import type { Dispenser } from './dispenser.ts'
import type { Events } from './events.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, errorReply, type Form, type Reply, send } from './reply.ts'
import { formOf, readHead } from './request.ts'
import type { TokenAnswer } from './serving.ts'
import type { TokenReplies } from './token-reply.ts'
import type { Usage } from './usage.ts'

export interface RequestPorts {
  readonly dispenser: Pick<Dispenser, 'ask' | 'rejected'>
  readonly replies: TokenReplies
  readonly events: Pick<Events, 'add' | 'isFull'>
  readonly usage: Pick<Usage, 'note'>
  readonly status: (form: Form) => Reply
  readonly clients: Clients
  readonly limits: Pick<Limits, 'request'>
  /** To be presented with every request. */
  readonly secret?: string | undefined
}

const rejectedBody = v.strictObject({ token: v.pipe(v.string(), v.minLength(1)) })

/** Answers requests, each on its own: what one tool does changes nothing for another. */
export class Requests {
  readonly #ports: RequestPorts

  constructor(ports: RequestPorts) {
    this.#ports = ports
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { dispenser, clients, events, status, secret } = this.#ports
    const { headers, socket } = request
    const form = formOf(headers.accept)
    if (clients.isOneTooMany(socket)) {
      this.#dismiss(request, response, errorReply('too_many_connections', form, { retryAfter: 1, close: true }))
      return
    }
    const asked = readHead(request, secret)
    if ('error' in asked) {
      const { error, ...options } = asked
      // What else belongs to such a request is not read.
      this.#dismiss(request, response, errorReply(error, form, { ...options, close: true }))
      return
    }
    switch (asked.path) {
      case '/v1/token':
        this.#answer(request, response, form, (reply) =>
          dispenser.ask({ kind: 'valid', minValidity: asked.minValidity * 1_000 }, reply),
        )
        break
      case '/v1/token/rejected':
        this.#rejected(request, response, form)
        break
      case '/v1/status':
        send(response, status(form))
        break
      case '/v1/events':
        if (events.isFull) {
          send(response, errorReply('too_many_listeners', form, { retryAfter: 60 }))
          break
        }
        this.#wait(request, response, () => {})
        events.add(response, headers['user-agent'])
        break
    }
  }

  #rejected(request: IncomingMessage, response: ServerResponse, form: Form): void {
    const { dispenser, limits } = this.#ports
    const refuse = (code: ErrorCode) => this.#dismiss(request, response, errorReply(code, form, { close: true }))
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      refuse('unsupported_media_type')
      return
    }
    readBody(request, limits.request, (body) => {
      if (body === undefined) {
        refuse('request_too_large')
        return
      }
      const parsed = v.safeParse(rejectedBody, parseJson(body))
      if (!parsed.success) {
        refuse('invalid_body')
        return
      }
      const token = accessToken(parsed.output.token)
      this.#answer(request, response, form, (reply) => dispenser.rejected(token, reply))
    })
  }

  /** Sends the answer when it is there, unless the tool has hung up by then. */
  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    form: Form,
    ask: (reply: (answer: TokenAnswer) => void) => () => void,
  ): void {
    const { replies, usage } = this.#ports
    let isAnswered = false
    const takeBack = ask((answer) => {
      isAnswered = true
      send(response, replies.of(answer, form))
      if (answer.kind === 'token') usage.note(request.headers['user-agent'])
    })
    if (!isAnswered) this.#wait(request, response, takeBack)
  }

  /** The answer takes its time. `over` is called at its end: it was given, or the tool has hung up. */
  #wait({ socket }: IncomingMessage, response: ServerResponse, over: () => void): void {
    const { clients } = this.#ports
    response.once('close', () => {
      over()
      clients.waitNoMore(socket)
    })
    if (!clients.wait(socket)) socket.destroy()
  }

  #dismiss({ socket }: IncomingMessage, response: ServerResponse, reply: Reply): void {
    this.#ports.clients.leave(socket)
    send(response, reply)
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
