import { useEffect, useRef, useState } from 'preact/hooks'
import { recentUses } from '../../contract/recent-uses.ts'
import type { ToolUse } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { useSurroundings } from '../parts/context.ts'
import { type CallError, useCall } from '../parts/hooks.ts'
import { ErrorNotice } from '../parts/notice.tsx'
import { Question } from '../parts/question.tsx'
import { opens } from '../parts/return-focus.ts'
import { isRefreshable } from './access.ts'
import type { SignedIn } from './session.tsx'

interface SessionActionsProps {
  readonly session: SignedIn
  readonly host: string | undefined
  readonly uses: readonly ToolUse[]
  readonly asksSignOut: boolean
  readonly onAskSignOut: (asks: boolean) => void
  readonly onSignIn: () => void
  readonly onChangePassword: () => void
}

/**
 * How long the result of an action is shown. The result of copying a token is shown for as long as the token stays on
 * the clipboard.
 */
const RESULT_SHOWN_MS = 10_000
const COPIED_SHOWN_MS = 60_000

interface ActionResult {
  readonly text: string
  readonly forMs?: number
  /** True if the result still applies to the session. */
  readonly holds?: (session: SignedIn) => boolean
}

const NOTHING: ActionResult = { text: '' }

/**
 * Two expiry times that differ by less than this belong to the same token. Each view converts the time from one clock
 * to another, which is not exact.
 */
const JITTER_MS = 100

const isOf =
  (token: SignedIn['token']) =>
  (session: SignedIn): boolean =>
    Math.abs((session.token?.expiresAt ?? 0) - (token?.expiresAt ?? 0)) < JITTER_MS

/** The result of the last action, as long as the result is recent and still applies. */
function useActionResult(session: SignedIn): [string, (result: ActionResult) => void] {
  const [result, setResult] = useState(NOTHING)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    result.holds?.(session) === false ? '' : result.text,
    (next) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setResult(NOTHING), next.forMs ?? RESULT_SHOWN_MS)
      setResult(next)
    },
  ]
}

/** The line that says where the session is stored; `undefined` if it isn't stored yet, or is about to end. */
function whereKept(texts: Texts, session: SignedIn): string | undefined {
  const { kind, kept, account } = session
  if (kind === 'ending' || kept === 'unwritten') return undefined
  if (kept === 'memory' && !isRefreshable(session)) return texts.session.keptWithoutRefreshToken
  return texts.session.kept(kept, account.grant.capabilities)
}

/**
 * SECURITY: ignores the second click of a double click. The first click may have hit "Sign in" in another view, which
 * this view then replaced.
 */
const firstClick =
  (act: () => void) =>
  ({ detail }: MouseEvent) => {
    if (detail < 2) act()
  }

/** The actions on the session, and their results. */
export const SessionActions = (props: SessionActionsProps) => {
  const { session, host, uses, asksSignOut, onAskSignOut, onSignIn, onChangePassword } = props
  const { api, texts } = useSurroundings()
  const { kind, account, token } = session
  const refreshing = useCall()
  const copying = useCall()
  const signingOut = useCall()
  const signOutButton = useRef<HTMLButtonElement>(null)
  const [result, say] = useActionResult(session)
  const [isMore, setMore] = useState(false)
  const isEnding = kind === 'ending'
  const canRefresh = isRefreshable(session)
  // If one of these two calls fails, the notice appears only for a bug. The window shows other failures elsewhere.
  const bug = [refreshing, copying].find(({ error }) => error === 'unexpected')?.error
  const error = signingOut.error ?? bug
  const words = texts.session.signingOut

  const report = (done: ActionResult, failed: ActionResult) => (result: CallError | undefined) =>
    say(result === undefined ? done : failed)
  const refresh = () => {
    say(NOTHING)
    const refreshed = { text: texts.session.refreshed, holds: ({ kind }: SignedIn) => kind === 'active' }
    refreshing.run(api.refreshNow, report(refreshed, { text: texts.session.stillNotRefreshed, holds: isOf(token) }))
  }
  const copy = () => {
    if (token === undefined) return
    say(NOTHING)
    const copied = { text: texts.session.copied, forMs: COPIED_SHOWN_MS }
    copying.run(api.copyToken, report(copied, { text: texts.session.notCopied }))
  }
  const signOut = () => {
    onAskSignOut(false)
    signingOut.run(api.signOut)
  }
  const ask = () => {
    if (recentUses(uses, Date.now()).length > 0) onAskSignOut(true)
    else signOut()
  }
  const stay = () => {
    onAskSignOut(false)
    signOutButton.current?.focus()
  }

  const refreshButton = (
    <button type="button" class="plain" aria-disabled={refreshing.pending} onClick={refresh}>
      {refreshing.pending ? texts.buttons.refreshing : texts.buttons.refreshNow}
    </button>
  )
  return (
    <>
      {error !== undefined && (
        <ErrorNotice error={error} during="session" issuer={account.grant.issuer} host={host} role="alert" />
      )}
      {asksSignOut && (
        <Question
          title={words.title}
          body={words.body(Math.max(1, recentUses(uses, Date.now()).length))}
          answers={[
            { label: words.stay, act: stay },
            { label: words.signOut, act: signOut },
          ]}
          onEscape={stay}
        />
      )}
      <div class="foot">
        <p class="hint">
          <span role="status">{result}</span>
          {result === '' && whereKept(texts, session)}
        </p>
        <p class="asides">
          <button
            ref={signOutButton}
            type="button"
            class="link"
            aria-disabled={signingOut.pending}
            onClick={firstClick(ask)}
          >
            {texts.buttons.signOut}
          </button>
          <button type="button" class="link" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            {texts.buttons.more}
          </button>
        </p>
        {isMore && (
          <div class="actions">
            <button type="button" class="plain" aria-disabled={token === undefined} onClick={firstClick(copy)}>
              {texts.buttons.copyToken}
            </button>
            {isEnding && canRefresh && refreshButton}
          </div>
        )}
        {/* The second click of a double click on "Sign in" may hit this row, so the row has only harmless actions. */}
        {isEnding ? (
          <button type="button" {...opens('signIn')} onClick={onSignIn}>
            {texts.buttons.signIn}
          </button>
        ) : (
          <div class="actions">
            {canRefresh && refreshButton}
            {token === undefined && (
              <button type="button" class="plain" {...opens('signIn')} onClick={onSignIn}>
                {texts.buttons.signIn}
              </button>
            )}
            {/* A password change needs an access token. */}
            {token !== undefined && account.grant.capabilities.changePassword && (
              <button type="button" class="plain" {...opens('changePassword')} onClick={onChangePassword}>
                {texts.buttons.changePassword}
              </button>
            )}
          </div>
        )}
      </div>
    </>
  )
}
