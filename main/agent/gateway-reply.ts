/** What tools are told about the gateway, in ASCII, so that any terminal can show it. */
import { assertNever } from '../../contract/assert-never.ts'
import type { Outcome } from '../../contract/failures.ts'
import { GATEWAY_USERNAME } from '../../contract/setting-rows.ts'
import type { GatewayView } from '../../contract/views.ts'
import type { Secret } from '../base/secret.ts'
import { errorReply, type Reply, type ReplyForm, replyOf } from './replies.ts'
import { fieldLines } from './status.ts'

export type GatewayPath = '/v1/gateway' | '/v1/gateway/password'

export interface GatewayPort {
  view(connection: string): GatewayView
  /** Fails if there is no such connection. */
  newPassword(connection: string): Outcome<Secret>
}

export function gatewayReply(view: GatewayView, form: ReplyForm): Reply {
  const status = gatewayStatus(view)
  return replyOf(200, form, form === 'json' ? JSON.stringify(status) : fieldLines(status))
}

export function passwordReply(made: Outcome<Secret>, form: ReplyForm): Reply {
  if (!made.ok) {
    const message = 'Latchkey does not know your service yet. Open Latchkey and enter its address.'
    return errorReply('unknown_connection', form, { message })
  }
  const password = made.value.reveal()
  return replyOf(200, form, form === 'json' ? JSON.stringify({ username: GATEWAY_USERNAME, password }) : password)
}

function gatewayStatus(view: GatewayView) {
  switch (view.kind) {
    case 'off':
      return { state: 'off', message: "Turned off. Turn it on in Latchkey's window, under Use in your tools." }
    case 'forbidden':
      return { state: 'forbidden', message: 'Turned off by your administrator, or by LATCHKEY_GATEWAY.' }
    case 'listening':
    case 'signedOut':
      return {
        address: view.address,
        username: GATEWAY_USERNAME,
        state: view.kind === 'listening' ? 'listening' : 'signed_out',
        message: !view.hasPassword
          ? 'There is no password yet. Make one: latchkey gateway --new-password'
          : view.kind === 'listening'
            ? 'Ready.'
            : 'You are not signed in. Open Latchkey and sign in.',
      }
    case 'portTaken':
      return {
        state: 'port_taken',
        message: `Port ${view.port} is taken${view.by === undefined ? '' : ` by ${view.by}`}. Close that program, or set another gatewayPort. If it is not yours, make a new password: your tools may have sent it the old one.`,
      }
    case 'failed':
      return { state: 'failed', message: `Port ${view.port} can't be opened (${view.cause}). Set another gatewayPort.` }
    default:
      return assertNever(view)
  }
}
