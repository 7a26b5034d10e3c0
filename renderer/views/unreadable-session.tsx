import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { useCall } from '../parts/hooks.ts'
import { opens } from '../parts/return-focus.ts'

interface UnreadableSessionProps {
  readonly session: Extract<SessionView, { kind: 'sessionUnread' | 'unknownVersion' }>
  readonly onSignIn: () => void
}

/** Shown if Latchkey can't read the session that the keychain has or should have. */
export const UnreadableSession = ({ session, onSignIn }: UnreadableSessionProps) => {
  const { texts } = useSurroundings()
  const words = session.kind === 'unknownVersion' ? texts.unknownVersion : texts.sessionUnread[session.why]
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{words.heading}</ArrivalHeading>
        <p class="lead">{words.lead}</p>
      </div>
      <p>{words.body}</p>
      <div class="foot">
        {session.kind === 'sessionUnread' && session.why === 'missing' && <LookAgain />}
        <button type="button" {...opens('signIn')} onClick={onSignIn}>
          {texts.buttons.signIn}
        </button>
      </div>
    </>
  )
}

/** A button that reads the keychain again. If the keychain has the session, the window shows it. */
const LookAgain = () => {
  const { api, texts } = useSurroundings()
  const { pending, error, run } = useCall()
  return (
    <>
      <p class="hint" role="status">
        {error !== undefined && texts.lookedAgain}
      </p>
      <button type="button" class="plain" aria-disabled={pending} onClick={() => run(api.lookAgain)}>
        {pending ? texts.buttons.lookingAgain : texts.buttons.lookAgain}
      </button>
    </>
  )
}
