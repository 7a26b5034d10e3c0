import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { assertNever } from '../../contract/assert-never.ts'
import { accessToken } from '../session/secret.ts'
import { readBody } from './body.ts'
import type { Clients } from './clients.ts'
import type { ConnectionEndpoint, ConnectionEndpoints } from './connection-endpoints.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, errorReply, type Form, type Reply, send } from './reply.ts'
import { formOf, readHead } from './request.ts'
import type { TokenAnswer } from './serving.ts'
import type { TokenFormat } from './token-format.ts'

export interface RequestPorts {
  readonly endpoints: Pick<ConnectionEndpoints, 'isOn' | 'of' | 'names' | 'listeners'>
  /** Returns the status reply about the connection with this name. */
  readonly status: (form: Form, connection: string) => Reply
  readonly clients: Clients
  readonly limits: Pick<Limits, 'request' | 'listeners'>
  /** The secret that every request must present. */
  readonly secret?: string | undefined
  /** Who turned the agent off; absent while the agent is on. If set, every answer says that the agent is off. */
  readonly turnedOff?: TurnedOff | undefined
}

/** The person who turned the agent off. */
export type TurnedOff = 'user' | 'administrator'

const TURNED_OFF: { readonly [W in TurnedOff]: { readonly message?: string } } = {
  user: {},
  administrator: { message: 'Turned off by your administrator: tools get no access token.' },
}

const rejectedBody = v.pipe(v.string(), v.parseJson(), v.strictObject({ token: v.pipe(v.string(), v.minLength(1)) }))

/** Answers the requests of tools. Keeps no state between two requests. */
export class Requests {
  readonly #ports: RequestPorts

  constructor(ports: RequestPorts) {
    this.#ports = ports
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { endpoints, clients, limits, status, secret, turnedOff } = this.#ports
    const { headers, socket } = request
    if (clients.isStreaming(socket) || !(endpoints.isOn || turnedOff !== undefined)) {
      socket.destroy()
      return
    }
    const form = formOf(headers.accept)
    if (clients.isOneTooMany(socket)) {
      this.#dismiss(request, response, errorReply('too_many_connections', form, { retryAfter: 1, close: true }))
      return
    }
    const asked = readHead(request, secret)
    if ('error' in asked) {
      const { error, ...options } = asked
      // The rest of an invalid request is not read.
      this.#dismiss(request, response, errorReply(error, form, { ...options, close: true }))
      return
    }
    if (turnedOff !== undefined) {
      this.#dismiss(
        request,
        response,
        errorReply('turned_off', form, { ...TURNED_OFF[turnedOff], retryAfter: 60, close: true }),
      )
      return
    }
    const endpoint = endpoints.of(asked.connection)
    if (endpoint === undefined) {
      const message = `There is no connection with this name. Available: ${endpoints.names.join(', ')}.`
      this.#dismiss(request, response, errorReply('unknown_connection', form, { message, close: true }))
      return
    }
    switch (asked.path) {
      case '/v1/token':
        this.#answer(request, response, { form, format: asked.format ?? form }, endpoint, (reply) =>
          endpoint.broker.ask(
            { kind: 'valid', minValidity: asked.minValidity * 1_000, isStrict: asked.isStrict },
            reply,
          ),
        )
        break
      case '/v1/token/rejected':
        this.#rejected(request, response, form, endpoint)
        break
      case '/v1/status':
        send(response, status(form, asked.connection))
        break
      case '/v1/events':
        if (endpoints.listeners >= limits.listeners) {
          send(response, errorReply('too_many_listeners', form, { retryAfter: 60 }))
          break
        }
        clients.stream(socket)
        this.#wait(request, response, () => endpoint.events.remove(response))
        endpoint.events.add(response, headers['user-agent'])
        break
      default:
        assertNever(asked)
    }
  }

  #rejected(request: IncomingMessage, response: ServerResponse, form: Form, endpoint: ConnectionEndpoint): void {
    const { limits } = this.#ports
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
      const parsed = v.safeParse(rejectedBody, body.toString('utf8'))
      if (!parsed.success) {
        refuse('invalid_body')
        return
      }
      const token = accessToken(parsed.output.token)
      this.#answer(request, response, { form, format: form }, endpoint, (reply) =>
        endpoint.broker.rejected(token, reply),
      )
    })
  }

  /** Sends the answer as soon as it is ready, unless the tool has hung up. */
  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    { form, format }: { readonly form: Form; readonly format: TokenFormat },
    { replies, onHandOut }: Pick<ConnectionEndpoint, 'replies' | 'onHandOut'>,
    ask: (reply: (answer: TokenAnswer) => void) => () => void,
  ): void {
    let isAnswered = false
    const takeBack = ask((answer) => {
      isAnswered = true
      send(response, replies.of(answer, form, format))
      if (answer.kind === 'token') onHandOut(request.headers['user-agent'])
    })
    if (!isAnswered) this.#wait(request, response, takeBack)
  }

  /** Registers a pending answer. `over` is called when the answer has been sent or the tool has hung up. */
  #wait({ socket }: IncomingMessage, response: ServerResponse, over: () => void): void {
    const { clients } = this.#ports
    response.once('close', () => {
      over()
      clients.endWait(socket, over)
    })
    if (!clients.wait(socket, over)) socket.destroy()
  }

  #dismiss({ socket }: IncomingMessage, response: ServerResponse, reply: Reply): void {
    this.#ports.clients.leave(socket)
    send(response, reply)
  }
}
