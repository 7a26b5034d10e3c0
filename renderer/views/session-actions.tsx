import { useEffect, useRef, useState } from 'preact/hooks'
import type { Texts } from '../../text/index.ts'
import { useSurroundings } from '../parts/context.ts'
import { type Trouble, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { opens } from '../parts/return-focus.ts'
import type { SignedIn } from './session.tsx'

interface SessionActionsProps {
  readonly session: SignedIn
  readonly host: string | undefined
  readonly onSignIn: () => void
  readonly onChangePassword: () => void
}

/** How long it is said what came of an action: milliseconds. A copied token leaves the clipboard with it. */
const SAID_FOR = 60_000

interface Said {
  readonly text: string
  /** The token, by its end, where it is said of one: that is history once there is another. */
  readonly of?: number | undefined
}

const NOTHING: Said = { text: '' }

/** The ends of one token lie no further apart, however often its view is made anew of two clocks: milliseconds. */
const JITTER = 100

const isOf = (token: SignedIn['token'], end: number | undefined): boolean =>
  Math.abs((token?.expiresAt ?? 0) - (end ?? 0)) < JITTER

/** What came of the last action, until it is history. */
function useSaid({ token }: SignedIn): [string, (said: Said) => void] {
  const [said, setSaid] = useState(NOTHING)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    'of' in said && !isOf(token, said.of) ? '' : said.text,
    (next) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setSaid(NOTHING), SAID_FOR)
      setSaid(next)
    },
  ]
}

/** An identity provider may have given no refresh token: then the access token is all there is. */
const isRefreshable = ({ token }: SignedIn): boolean => token === undefined || token.refreshesAt !== undefined

/** In passing, where that is no trouble. */
function whereKept(texts: Texts, session: SignedIn): string | undefined {
  const { kind, kept, account } = session
  // What ends anyway isn't said to be kept.
  if (kind === 'ending' || kept === 'unwritten') return undefined
  if (kept === 'memory' && !isRefreshable(session)) return texts.session.keptWithoutRefreshToken
  return texts.session.kept(kept, account.grant.capabilities)
}

/** SECURITY: the second click of a double one on "Sign in" was meant for that, whatever it lands on. */
const firstClick =
  (act: () => void) =>
  ({ detail }: MouseEvent) => {
    if (detail < 2) act()
  }

/** What a user can do with the session, and what came of it. */
export const SessionActions = ({ session, host, onSignIn, onChangePassword }: SessionActionsProps) => {
  const { api, texts } = useSurroundings()
  const { kind, account, token } = session
  const refreshing = useCall()
  const copying = useCall()
  const signingOut = useCall()
  const [said, say] = useSaid(session)
  const isEnding = kind === 'ending'
  // What a refresh failed of is said by the state itself; only a bug has no state.
  const bug = [refreshing, copying].find(({ trouble }) => trouble === 'unexpected')?.trouble
  const trouble = signingOut.trouble ?? bug

  const telling = (done: string, failed: Said) => (result: Trouble | undefined) =>
    say(result === undefined ? { text: done } : failed)
  const refresh = () => {
    say(NOTHING)
    const notRefreshed = { text: texts.session.stillNotRefreshed, of: token?.expiresAt }
    refreshing.run(api.refreshNow, telling(texts.session.refreshed, notRefreshed))
  }
  const copy = () => {
    if (token === undefined) return
    say(NOTHING)
    copying.run(api.copyToken, telling(texts.session.copied, { text: texts.session.notCopied }))
  }
  const signOut = () => signingOut.run(api.signOut)

  return (
    <>
      {trouble !== undefined && (
        <TroubleNotice trouble={trouble} during="session" issuer={account.grant.issuer} host={host} role="alert" />
      )}
      <div class="foot">
        <p class="hint">
          <span role="status">{said}</span>
          {said === '' && whereKept(texts, session)}
        </p>
        <div class="actions">
          {isEnding && (
            <button type="button" class="wide" {...opens('signIn')} onClick={onSignIn}>
              {texts.buttons.signInAgain}
            </button>
          )}
          <button type="button" class="plain" aria-disabled={token === undefined} onClick={firstClick(copy)}>
            {texts.buttons.copyToken}
          </button>
          <button type="button" class="plain" aria-disabled={signingOut.pending} onClick={firstClick(signOut)}>
            {texts.buttons.signOut}
          </button>
          {/* Last, where "Sign in" was: what a second click can do no harm with. */}
          {isRefreshable(session) && (
            <button type="button" class="plain" aria-disabled={refreshing.pending} onClick={refresh}>
              {refreshing.pending ? texts.buttons.refreshing : texts.buttons.refreshNow}
            </button>
          )}
          {!isEnding && account.grant.capabilities.changePassword && (
            <button type="button" class="plain" {...opens('changePassword')} onClick={onChangePassword}>
              {texts.buttons.changePassword}
            </button>
          )}
        </div>
      </div>
    </>
  )
}
