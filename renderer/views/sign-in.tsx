import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConnectionView, LastSignIn, SessionView, SignInNeed } from '../../contract/views.ts'
import { needLine, needOf } from '../../text/state.ts'
import { useSurroundings } from '../parts/context.ts'
import { type Call, type CallError, isFailure, useCall } from '../parts/hooks.ts'
import type { LastResult } from '../parts/last-result.ts'
import { Status } from '../parts/status.tsx'
import { ChallengeForm } from './challenge-form.tsx'
import { GrantForm } from './grant-form.tsx'
import { InBrowser } from './in-browser.tsx'
import { NewRecoveryCode } from './new-recovery-code.tsx'

/** What the user typed. It is kept while another screen is open. */
export interface Typed {
  readonly connection: string
  readonly grant: string | undefined
  readonly username: string
}

interface SignInProps {
  readonly name: string
  readonly connection: ConnectionView | undefined
  readonly where: string | undefined
  readonly session: SessionView
  readonly needs: readonly SignInNeed[]
  readonly last: LastSignIn | undefined
  readonly missing: readonly string[]
  readonly typed: { current: Typed | undefined }
  readonly offersStart: boolean
  readonly onLate: (late: LastResult) => void
}

export const SignIn = (props: SignInProps) => {
  const { name, connection, where, session, needs, last, missing, typed, offersStart, onLate } = props
  const { texts } = useSurroundings()
  const [usesPassword, setUsesPassword] = useState(false)
  const settled = useSettled(session)
  const issuer = session.kind === 'signingIn' ? session.challenge?.issuer : undefined
  const signingIn = useLateCall((error) => onLate({ error, during: 'signIn', issuer }))
  const answering = useLateCall((error) => onLate({ error, during: 'challenge', issuer }))
  const [isCancelled, setCancelled] = useState(false)
  const account = 'account' in settled ? settled.account : undefined
  // The form appears again when a challenge ends without success, and when the user comes back from another screen.
  const filledIn = useRef<Typed>(
    typed.current?.connection === name
      ? typed.current
      : {
          connection: name,
          grant: account?.grant.name ?? last?.grant,
          // If the grant has no fields, the account's username is an identifier that nobody types.
          username: (account?.grant.fields.length ? account.username : last?.username) ?? '',
        },
  )

  const challenge = session.kind === 'signingIn' ? session.challenge : undefined
  const onCancelled = () => setCancelled(true)
  if (challenge?.kind === 'newRecoveryCode') {
    return <NewRecoveryCode key={challenge.id} challenge={challenge} answering={answering} />
  }
  if (challenge?.kind === 'browser') {
    return <InBrowser key={challenge.id} challenge={challenge} answering={answering} onCancelled={onCancelled} />
  }
  // A user of single sign-on may have no password for the service, so the password form appears only on request.
  if (missing.length > 0 && !usesPassword && challenge === undefined) {
    const { title, body } = texts.signIn.incomplete(missing)
    return (
      <Status
        tone="warn"
        title={title}
        focuses
        remedy={
          <button type="button" class="plain" onClick={() => setUsesPassword(true)}>
            {texts.signIn.withPassword}
          </button>
        }
      >
        <p>{body}</p>
      </Status>
    )
  }
  const need = needOf({ needs }, { name, session: settled })
  return challenge === undefined ? (
    <GrantForm
      connection={connection}
      where={where}
      need={need && needLine(texts, need)}
      session={settled}
      filledIn={filledIn.current}
      onFilledIn={(values) => {
        filledIn.current = { connection: name, ...values }
        typed.current = filledIn.current
      }}
      isSigningIn={session.kind === 'signingIn'}
      signingIn={signingIn}
      answering={answering}
      isCancelled={isCancelled}
      onCancelled={setCancelled}
      offersStart={offersStart}
    />
  ) : (
    <ChallengeForm
      key={challenge.id}
      challenge={challenge}
      answering={answering}
      host={connection?.host}
      onCancelled={onCancelled}
    />
  )
}

/**
 * While the user signs in, returns the session before the sign-in, so that nothing on the screen moves. After the first
 * attempt, the result of an earlier sign-out is left out, unless it says that the token isn't revoked.
 */
function useSettled(session: SessionView): SessionView {
  const settled = useRef(session)
  const hasTried = useRef(false)
  if (session.kind === 'signingIn') hasTried.current = true
  else settled.current = hasTried.current ? withoutResult(session) : session
  return settled.current
}

function useLateCall(onLate: (error: CallError) => void): Call {
  const call = useCall()
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  const run: Call['run'] = (start, settled) =>
    call.run(start, (error) => {
      settled?.(error)
      // If another sign-in or the restored session has replaced this sign-in, the user needs no message.
      const isOvertaken = isFailure(error, 'sessionEnded') && error.problem === undefined
      if (isGone.current && error !== undefined && !isOvertaken) onLate(error)
    })
  return { ...call, run }
}

function withoutResult(session: SessionView): SessionView {
  if (session.kind !== 'signedOut' || session.revocation === 'pending' || session.revocation === 'refused')
    return session
  const { handedOutUntil: _, ...rest } = session
  return { ...rest, revocation: 'none' }
}
