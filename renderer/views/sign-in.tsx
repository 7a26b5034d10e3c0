import { useRef } from 'preact/hooks'
import type { ConnectionView, LastSignIn, SessionView } from '../../contract/views.ts'
import { useCall } from '../parts/hooks.ts'
import { ChallengeForm } from './challenge-form.tsx'
import { GrantForm } from './grant-form.tsx'
import { InBrowser } from './in-browser.tsx'
import { NewRecoveryCode } from './new-recovery-code.tsx'

interface SignInProps {
  readonly connection: ConnectionView | undefined
  readonly session: SessionView
  readonly last: LastSignIn | undefined
  /** True if the form should offer to start Latchkey at login, because the user has not decided this yet. */
  readonly offersStart: boolean
}

/** Sign-in: first a grant's form, then a form for each challenge. */
export const SignIn = ({ connection, session, last, offersStart }: SignInProps) => {
  const settled = useSettled(session)
  const signingIn = useCall()
  const answering = useCall()
  const account = 'account' in settled ? settled.account : undefined
  // The values for the grant's form. They are kept because the form appears again if a challenge is cancelled or fails.
  const filledIn = useRef({
    grant: account?.grant.name ?? last?.grant,
    // A provider may call the user by an identifier that nobody types.
    username: (account?.grant.fields.length ? account.username : last?.username) ?? '',
  })

  const challenge = session.kind === 'signingIn' ? session.challenge : undefined
  if (challenge?.kind === 'newRecoveryCode') {
    return <NewRecoveryCode key={challenge.id} challenge={challenge} answering={answering} />
  }
  if (challenge?.kind === 'browser') {
    return <InBrowser key={challenge.id} challenge={challenge} answering={answering} />
  }
  return challenge === undefined ? (
    <GrantForm
      connection={connection}
      session={settled}
      filledIn={filledIn}
      isSigningIn={session.kind === 'signingIn'}
      signingIn={signingIn}
      answering={answering}
      offersStart={offersStart}
    />
  ) : (
    <ChallengeForm key={challenge.id} challenge={challenge} answering={answering} host={connection?.host} />
  )
}

/** The session as it was before the sign-in. The form shows it until the sign-in ends, so that the layout is stable. */
function useSettled(session: SessionView): SessionView {
  const settled = useRef(session)
  if (session.kind !== 'signingIn') settled.current = session
  return settled.current
}
