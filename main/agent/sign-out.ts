import { assertNever } from '../../contract/assert-never.ts'
import { errorReply, type Reply, type ReplyForm, replyOf } from './replies.ts'
import { dateOf, snakeCase } from './status.ts'

/**
 * What became of a session. `revoking`: Latchkey keeps trying to revoke the session's token. `refused`, `notPossible`:
 * the session stays valid at the issuer until it expires. `kept`: the user is still signed in, because a sign-out would
 * lose a recovery code that isn't saved yet. `starting`: the connection isn't open yet.
 */
export interface SignedOut {
  readonly connection: string
  readonly result: 'notSignedIn' | 'ended' | 'revoked' | 'revoking' | 'refused' | 'notPossible' | 'kept' | 'starting'
  /** The time at which the last access token held by a tool expires, in milliseconds since the epoch. */
  readonly handedOutUntil?: number
}

/** The status is 202 while a token is still to be revoked. */
export function signOutReply(results: readonly SignedOut[], isAll: boolean, form: ReplyForm): Reply {
  const entries = results.map(({ connection, result, handedOutUntil }) => ({
    connection,
    result: result === 'ended' ? 'signed_out' : snakeCase(result),
    message: sentenceOf(result, handedOutUntil),
  }))
  const text = entries.map((each) => (isAll ? `${each.connection}: ${each.message}` : each.message)).join('\n')
  const has = (wanted: SignedOut['result']) => results.some(({ result }) => result === wanted)
  const message = text.replaceAll('\n', ' ')
  if (has('kept')) return errorReply('recovery_code', form, { message })
  if (has('starting')) return errorReply('unavailable', form, { message, retryAfter: 1 })
  return replyOf(has('revoking') ? 202 : 200, form, form === 'text' ? text : JSON.stringify({ connections: entries }))
}

function sentenceOf(result: SignedOut['result'], handedOutUntil: number | undefined): string {
  const handedOut =
    handedOutUntil === undefined ? '' : ` Access tokens that tools have are valid until ${dateOf(handedOutUntil)}.`
  switch (result) {
    case 'notSignedIn':
      return `You were not signed in.${handedOut}`
    case 'ended':
      return `Signed out.${handedOut}`
    case 'revoked':
      return `Signed out, here and at the service.${handedOut}`
    case 'revoking':
      return `Signed out here. The service has not confirmed it yet; Latchkey keeps trying while it runs.${handedOut}`
    case 'refused':
      return `Signed out here. The service refused to end the session, which stays valid there until it expires.${handedOut}`
    case 'notPossible':
      return `Signed out. Your identity provider cannot revoke its token, so Latchkey has deleted it here; it expires by itself.${handedOut}`
    case 'kept':
      return "Not signed out, because your new recovery code would be lost. Save it in Latchkey's window first."
    case 'starting':
      return 'Not signed out, because Latchkey is still starting. Try again in a moment.'
    default:
      return assertNever(result)
  }
}
