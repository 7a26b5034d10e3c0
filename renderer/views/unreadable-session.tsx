import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { opens } from '../parts/return-focus.ts'

interface UnreadableSessionProps {
  /** Also what the words of it are called. */
  readonly why: 'keychainLocked' | 'unknownVersion'
  readonly onSignIn: () => void
}

/** The keychain has a session, or may have one, and Latchkey can't read it. */
export const UnreadableSession = ({ why, onSignIn }: UnreadableSessionProps) => {
  const { texts } = useSurroundings()
  const { heading, lead, body } = texts[why]
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{heading}</ArrivalHeading>
        <p class="lead">{lead}</p>
      </div>
      <p>{body}</p>
      <div class="foot">
        <button type="button" {...opens('signIn')} onClick={onSignIn}>
          {texts.buttons.signIn}
        </button>
      </div>
    </>
  )
}
