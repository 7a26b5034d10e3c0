import type { Outcome } from '../../preload/contract.ts'
import type { AuthService, Issued } from './ports.ts'
import type { Password, RefreshToken } from './secret.ts'
import type { Account } from './state.ts'
import type { Vault } from './vault.ts'

interface Refreshing {
  readonly account: Account
  readonly sub?: string
  readonly refreshToken: RefreshToken
  readonly service: Pick<AuthService, 'login' | 'refresh'>
  readonly vault: Pick<Vault, 'read' | 'take' | 'kept'>
  /** Whether it is still the same session: after a sign-out nothing more is sent. */
  readonly isCurrent: () => boolean
  /** The other token that is asked with instead. */
  readonly onOther: (refreshToken: RefreshToken) => void
  /** The password that was just changed to, if any; waits for a change under way. */
  readonly newPassword: () => Promise<Password | undefined>
}

/**
 * One refresh. Before a refusal is believed: another copy of the program may have rotated the token, then its
 * one is used once; a password change may have ended the session, then the new password, still in hand, does.
 */
export async function refreshOnce(asked: Refreshing): Promise<Outcome<Issued>> {
  const { account, service, isCurrent } = asked
  const isRefused = (answer: Outcome<Issued>) => !answer.ok && answer.failure.code === 'sessionEnded' && isCurrent()
  let answer = await service.refresh(asked.refreshToken)
  if (!isRefused(answer)) return answer
  const other = await otherToken(asked)
  if (!isCurrent()) return answer
  if (other !== undefined) {
    asked.vault.take(other)
    asked.onOther(other)
    answer = await service.refresh(other)
    if (!isRefused(answer)) return answer
  }
  const password = await asked.newPassword()
  if (password === undefined || !isCurrent()) return answer
  const login = await service.login({ username: account.username, password })
  return !login.ok && login.failure.code === 'rejected' ? answer : login
}

/** The token that another copy of the program has written for the same account. */
async function otherToken({ account, sub, refreshToken, vault }: Refreshing): Promise<RefreshToken | undefined> {
  // What stands in the keychain is older than ours while ours could not be written.
  if (vault.kept === 'unwritten') return undefined
  const stored = await vault.read()
  if (stored.kind !== 'session') return undefined
  const { entry } = stored
  const isSameAccount =
    entry.method === account.method &&
    entry.username === account.username &&
    (entry.sub === undefined || sub === undefined || entry.sub === sub)
  return isSameAccount && !entry.refreshToken.equals(refreshToken) ? entry.refreshToken : undefined
}
