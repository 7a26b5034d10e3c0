import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { assertNever } from '../../contract/assert-never.ts'
import { accessToken } from '../base/secret.ts'
import type { Clients } from './clients.ts'
import type { ConnectionEndpoint, ConnectionEndpoints } from './connection-endpoints.ts'
import { type GatewayPath, type GatewayPort, gatewayReply, passwordReply } from './gateway-reply.ts'
import type { Limits } from './limits.ts'
import { answerMcp, type McpBridges } from './mcp-requests.ts'
import { announcedSize, formOf, isForMcp, type Remote, readBody, readHead } from './parse-request.ts'
import {
  type ErrorCode,
  errorReply,
  type Reply,
  type ReplyForm,
  sendReply,
  type TokenFormat,
  type TurnedOff,
  turnedOffReply,
} from './replies.ts'
import { type SignedOut, signOutReply } from './sign-out.ts'
import type { Until } from './status.ts'
import type { RemoteRejection } from './token-broker.ts'
import type { TokenResult } from './token-source.ts'
import type { ToolId } from './tools.ts'

/** SECURITY: the reply lists only the connections in `names`. */
export type StatusPort = (form: ReplyForm, connection: string, names: readonly string[], until?: Until) => Reply

export interface RequestHandlerPorts {
  readonly endpoints: Pick<ConnectionEndpoints, 'isOn' | 'of' | 'names'>
  readonly status: StatusPort
  /** Absent for remote machines. */
  readonly signOut?: ((connection: string) => Promise<SignedOut>) | undefined
  readonly clients: Clients
  readonly limits: Pick<Limits, 'head' | 'body' | 'longBodies' | 'listeners' | 'waiters' | 'idle' | 'arrival'>
  readonly secret?: string | undefined
  /** Absent while the agent is on. */
  readonly turnedOff?: TurnedOff | undefined
  /** Absent on Windows, and in the handler for a remote machine. */
  readonly remotes?: RemoteSockets | undefined
  readonly gateway?: GatewayPort | undefined
  /** Absent for remote machines. */
  readonly bridges?: McpBridges | undefined
  readonly host?: string | undefined
}

interface RemoteSockets {
  open(remote: Remote, response: ServerResponse, form: ReplyForm, signal: AbortSignal): void
}

const rejectedBody = v.pipe(v.string(), v.parseJson(), v.strictObject({ token: v.pipe(v.string(), v.minLength(1)) }))

export class RequestHandler {
  readonly #ports: RequestHandlerPorts
  #listeners = 0
  #waiters = 0
  /** The requests whose long bodies are arriving. */
  readonly #longBodies = new Set<IncomingMessage>()
  readonly #rejections = new Map<string, { last?: RemoteRejection }>()

  constructor(ports: RequestHandlerPorts) {
    this.#ports = ports
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { endpoints, clients, status, secret, turnedOff, remotes, host } = this.#ports
    const { headers, socket } = request
    if (clients.isStreaming(socket) || !(endpoints.isOn || turnedOff !== undefined)) {
      socket.destroy()
      return
    }
    if (clients.ignores(socket)) return
    const form = formOf(headers.accept)
    if (clients.isOneTooMany(socket)) {
      this.#dismiss(request, response, errorReply('too_many_connections', form, { retryAfter: 1, close: true }))
      return
    }
    const asked = readHead(request, { secret, fallback: endpoints.names[0] })
    if ('error' in asked) {
      const { error, ...options } = asked
      this.#dismiss(request, response, errorReply(error, form, { ...options, close: true }))
      return
    }
    if (asked.path === '/v1/sign-out') {
      this.#signOut(request, response, form, asked)
      return
    }
    if (isForMcp(asked)) {
      answerMcp(this.#ports, request, response, {
        asked,
        form,
        caller: this.#tool(request),
        refuse: (code, message) =>
          this.#dismiss(request, response, errorReply(code, form, { close: true, ...(message && { message }) })),
      })
      return
    }
    // The gateway has a switch of its own, so these requests work while the agent is off.
    if (asked.path === '/v1/gateway' || asked.path === '/v1/gateway/password') {
      if (endpoints.names.includes(asked.connection))
        sendReply(response, this.#gateway(asked.path, asked.connection, form))
      else this.#dismiss(request, response, this.#unknownConnection(form))
      return
    }
    if (turnedOff !== undefined) {
      const hasStatus = asked.path === '/v1/status' && endpoints.names.includes(asked.connection)
      const reply = hasStatus ? status(form, asked.connection, endpoints.names) : turnedOffReply(turnedOff, form)
      this.#dismiss(request, response, reply)
      return
    }
    if (asked.path === '/v1/remote' && remotes === undefined) {
      // SECURITY: a remote machine can't open a socket for another machine or for further connections.
      const message =
        host === undefined
          ? 'On Windows, the agent has no socket that ssh can forward.'
          : 'This is a remote machine. Run latchkey ssh on the desktop.'
      this.#dismiss(request, response, errorReply('forbidden', form, { message, close: true }))
      return
    }
    const named = asked.path === '/v1/remote' ? asked.connections : [asked.connection]
    const [endpoint, ...others] = named.map((name) => endpoints.of(name))
    if (endpoint === undefined || others.includes(undefined)) {
      this.#dismiss(request, response, this.#unknownConnection(form))
      return
    }
    switch (asked.path) {
      case '/v1/remote':
        this.#remote(request, response, form, asked)
        break
      case '/v1/token':
        this.#answer(request, response, { form, format: asked.format ?? form }, endpoint, (reply) =>
          endpoint.broker.ask(
            { kind: 'valid', minValidity: asked.minValidity * 1_000, isStrict: asked.isStrict },
            reply,
            asked.wait === 0
              ? undefined
              : { milliseconds: asked.wait * 1_000, begin: () => this.#hold(request, endpoint) },
          ),
        )
        break
      case '/v1/token/rejected':
        this.#rejected(request, response, form, endpoint, this.#rejectionOf(asked.connection))
        break
      case '/v1/status':
        sendReply(response, status(form, asked.connection, endpoints.names, asked.until))
        break
      case '/v1/events':
        this.#events(request, response, form, endpoint)
        break
      default:
        assertNever(asked.path)
    }
  }

  #events(request: IncomingMessage, response: ServerResponse, form: ReplyForm, { events }: ConnectionEndpoint): void {
    const { clients, limits } = this.#ports
    if (this.#listeners >= limits.listeners) {
      sendReply(response, errorReply('too_many_listeners', form, { retryAfter: 60 }))
      return
    }
    clients.stream(request.socket)
    this.#listeners++
    this.#wait(request, response, () => {
      this.#listeners--
      events.remove(response)
    })
    events.add(response, this.#tool(request))
  }

  /** Returns a function that ends the wait, or `undefined` if too many requests wait. */
  #hold(request: IncomingMessage, { onHold }: ConnectionEndpoint): (() => void) | undefined {
    const { limits } = this.#ports
    if (this.#waiters >= limits.waiters) return undefined
    this.#waiters++
    // Without this, the idle timeout would end the connection.
    request.socket.setTimeout(0)
    const end = onHold(this.#tool(request))
    return () => {
      this.#waiters--
      request.socket.setTimeout(limits.idle)
      end()
    }
  }

  #gateway(path: GatewayPath, connection: string, form: ReplyForm): Reply {
    const { gateway, host } = this.#ports
    // SECURITY: a remote machine doesn't get the gateway's password. It can't reach the gateway anyway.
    if (gateway === undefined || host !== undefined)
      return errorReply('forbidden', form, {
        message: 'The gateway belongs to the desktop. Run latchkey gateway there.',
      })
    return path === '/v1/gateway'
      ? gatewayReply(gateway.view(connection), form)
      : passwordReply(gateway.newPassword(connection), form)
  }

  #signOut(
    request: IncomingMessage,
    response: ServerResponse,
    form: ReplyForm,
    { connection, isAll }: { readonly connection: string; readonly isAll: boolean },
  ): void {
    const { endpoints, signOut } = this.#ports
    if (signOut === undefined) {
      // SECURITY: a remote machine can't end the desktop's session.
      const message = 'This is a remote machine. Run latchkey sign-out on the desktop.'
      this.#dismiss(request, response, errorReply('forbidden', form, { message, close: true }))
      return
    }
    if (!endpoints.names.includes(connection)) {
      this.#dismiss(request, response, this.#unknownConnection(form))
      return
    }
    this.#wait(request, response, () => {})
    const names = isAll ? endpoints.names : [connection]
    void Promise.all(names.map(signOut)).then((results) => {
      if (!response.destroyed) sendReply(response, signOutReply(results, isAll, form))
    })
  }

  #unknownConnection(form: ReplyForm): Reply {
    const message = `There is no connection with this name. Available: ${this.#ports.endpoints.names.join(', ')}.`
    return errorReply('unknown_connection', form, { message, close: true })
  }

  #rejectionOf(connection: string): { last?: RemoteRejection } | undefined {
    if (this.#ports.host === undefined) return undefined
    const rejection = this.#rejections.get(connection) ?? {}
    this.#rejections.set(connection, rejection)
    return rejection
  }

  #rejected(
    request: IncomingMessage,
    response: ServerResponse,
    form: ReplyForm,
    endpoint: ConnectionEndpoint,
    remote: { last?: RemoteRejection } | undefined,
  ): void {
    const { limits } = this.#ports
    const refuse = (code: ErrorCode, retryAfter?: number) =>
      this.#dismiss(request, response, errorReply(code, form, { close: true, ...(retryAfter && { retryAfter }) }))
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      refuse('unsupported_media_type')
      return
    }
    const isLong = announcedSize(request) > limits.head
    if (isLong && this.#longBodies.size >= limits.longBodies) {
      refuse('too_many_connections', 1)
      return
    }
    if (isLong) this.#longBodies.add(request)
    request.once('close', () => this.#longBodies.delete(request))
    readBody(request, limits, (body) => {
      // Node emits no `close` for a request whose body was refused before its end.
      this.#longBodies.delete(request)
      if (typeof body === 'string') {
        refuse(body)
        return
      }
      const parsed = v.safeParse(rejectedBody, body.toString('utf8'))
      if (!parsed.success) {
        refuse('invalid_body')
        return
      }
      const token = accessToken(parsed.output.token)
      this.#answer(request, response, { form, format: form }, endpoint, (reply) =>
        endpoint.broker.rejected(token, reply, remote),
      )
    })
  }

  /** Opens a remote machine's socket, which stays open as long as this request. */
  #remote(request: IncomingMessage, response: ServerResponse, form: ReplyForm, remote: Remote): void {
    const { remotes, clients } = this.#ports
    clients.stream(request.socket)
    const closing = new AbortController()
    this.#wait(request, response, () => closing.abort())
    remotes?.open(remote, response, form, closing.signal)
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    { form, format }: { readonly form: ReplyForm; readonly format: TokenFormat },
    { replies, onHandOut, onSignedOut }: ConnectionEndpoint,
    ask: (reply: (answer: TokenResult) => void) => () => void,
  ): void {
    let isAnswered = false
    const cancel = ask((answer) => {
      isAnswered = true
      sendReply(response, replies.of(answer, form, format))
      if (answer.kind === 'token') onHandOut(this.#tool(request))
      if (answer.kind === 'signedOut') onSignedOut(this.#tool(request))
    })
    if (!isAnswered) this.#wait(request, response, cancel)
  }

  /** Calls `onEnd` once, when the reply is sent or the tool has hung up. */
  #wait({ socket }: IncomingMessage, response: ServerResponse, onEnd: () => void): void {
    const { clients } = this.#ports
    const wait = new AbortController()
    wait.signal.addEventListener('abort', onEnd)
    const end = () => wait.abort()
    response.once('close', () => {
      end()
      clients.endWait(socket, end)
    })
    if (!clients.wait(socket, end)) socket.destroy()
  }

  #tool({ headers }: IncomingMessage): ToolId {
    return { userAgent: headers['user-agent'], host: this.#ports.host }
  }

  #dismiss({ socket }: IncomingMessage, response: ServerResponse, reply: Reply): void {
    this.#ports.clients.leave(socket)
    sendReply(response, reply)
  }
}
