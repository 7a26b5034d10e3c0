import type { TokenView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { LifeLine } from '../parts/life-line.tsx'
import type { SignedIn } from './session.tsx'

/** The access token: how long it serves, and when the next one comes. Moves once a minute. */
export const TokenCard = ({ session }: { readonly session: SignedIn }) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const { token } = session
  return (
    <section class="card" aria-label={texts.session.token}>
      <p class="row">
        <span>{texts.session.token}</span>
        <b>
          {token === undefined || token.expiresAt <= now
            ? texts.session.noToken
            : texts.session.left(token.expiresAt - now)}
        </b>
      </p>
      {token === undefined ? (
        <p class="hint">{texts.session.toolsWait}</p>
      ) : (
        <>
          <LifeLine token={token} now={now} refreshing={session.kind === 'active'} />
          <p class="row hint">
            <span>{refresh(texts, session, token, now)}</span>
            <span>{texts.session.until(token.expiresAt, now)}</span>
          </p>
        </>
      )}
    </section>
  )
}

function refresh(texts: Texts, session: SignedIn, token: TokenView, now: number): string {
  if (session.refresh === 'running') return texts.session.refreshing
  if (session.kind === 'unreachable') return texts.session.refreshesLater
  if (session.kind === 'ending') return texts.session.notRefreshed
  return token.refreshesAt === undefined ? texts.session.asksAgain : texts.session.refreshesAt(token.refreshesAt, now)
}
