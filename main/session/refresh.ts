import type { Outcome } from '../../contract/failures.ts'
import { OVERTAKEN } from './outcome.ts'
import type { AuthService, Issued } from './ports.ts'
import type { Password, RefreshToken } from './secret.ts'
import type { Account } from './state.ts'
import type { Vault } from './vault.ts'

interface Refreshing {
  readonly account: Account
  readonly issuer: string
  readonly sub?: string | undefined
  readonly refreshToken: RefreshToken
  readonly service: Pick<AuthService, 'login' | 'refresh'>
  readonly vault: Pick<Vault, 'readOther' | 'take'>
  /** Whether it is still the same session: after a sign-out nothing more is sent. */
  readonly isCurrent: () => boolean
  /** The other token that is asked with instead. */
  readonly onOther: (refreshToken: RefreshToken) => void
  /** The password that was just changed to, if any; waits for a change under way. */
  readonly newPassword: () => Promise<Password | undefined>
}

/**
 * One refresh. Another copy of the program may have rotated the token: its one is looked for before ours is sent,
 * because a service may end the whole session over a spent token (RFC 9700 section 4.14.2), and again before a
 * refusal is believed. A password change may have ended the session: then the new password, still in hand, does.
 */
export async function refreshOnce(asked: Refreshing): Promise<Outcome<Issued>> {
  const { account, service, vault, isCurrent, onOther } = asked
  const isRefused = (answer: Outcome<Issued>) => !answer.ok && answer.failure.code === 'sessionEnded' && isCurrent()
  let { refreshToken } = asked
  const takeOther = async (): Promise<boolean> => {
    const other = await otherToken(asked)
    if (other === undefined || !isCurrent()) return false
    // Ours is not asked with any more: it may be the spent one.
    vault.take(other)
    onOther(other)
    refreshToken = other
    return true
  }

  await takeOther()
  if (!isCurrent()) return OVERTAKEN
  let answer = await service.refresh(refreshToken)
  const tryOthers = async (): Promise<void> => {
    while (isRefused(answer) && (await takeOther())) answer = await service.refresh(refreshToken)
  }
  await tryOthers()
  if (!isRefused(answer)) return answer
  const password = await asked.newPassword()
  // While a change was waited for, the keychain may have been unlocked.
  await tryOthers()
  if (password === undefined || !isRefused(answer)) return answer
  const login = await service.login({ username: account.username, password })
  return !login.ok && login.failure.code === 'rejected' ? answer : login
}

/** The token that another copy of the program has written for the same account. */
export async function otherToken({
  account,
  issuer,
  sub,
  vault,
}: Pick<Refreshing, 'account' | 'issuer' | 'sub'> & {
  readonly vault: Pick<Vault, 'readOther'>
}): Promise<RefreshToken | undefined> {
  const entry = await vault.readOther()
  const isSameAccount =
    entry?.method === account.method &&
    entry.username === account.username &&
    // SECURITY: another copy of the program may be signed in at another provider; that token is not sent to ours.
    entry.issuer === issuer &&
    (entry.sub === undefined || sub === undefined || entry.sub === sub)
  return isSameAccount ? entry.refreshToken : undefined
}
