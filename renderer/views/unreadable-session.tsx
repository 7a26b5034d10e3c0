import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { useCall } from '../parts/hooks.ts'
import { placed } from '../parts/opened.ts'
import { Status } from '../parts/status.tsx'

interface UnreadableSessionProps {
  readonly session: Extract<SessionView, { kind: 'sessionUnread' | 'unknownVersion' }>
}

export const UnreadableSession = ({ session }: UnreadableSessionProps) => {
  const { texts, open } = useSurroundings()
  const words = session.kind === 'unknownVersion' ? texts.unknownVersion : texts.sessionUnread[session.why]
  const isMissing = session.kind === 'sessionUnread' && session.why === 'missing'
  return (
    <Status
      tone="warn"
      title={words.heading}
      focuses
      remedy={
        <>
          <button type="button" {...placed('signIn')} onClick={() => open({ screen: 'signIn' })}>
            {texts.buttons.signIn}
          </button>
          {isMissing && <LookAgain />}
        </>
      }
    >
      <p>{words.lead}</p>
      <p>{words.body}</p>
    </Status>
  )
}

const LookAgain = () => {
  const { api, texts } = useSurroundings()
  const { pending, error, run } = useCall()
  return (
    <>
      <button type="button" class="plain" aria-disabled={pending} onClick={() => run(api.lookAgain)}>
        {pending ? texts.buttons.lookingAgain : texts.buttons.lookAgain}
      </button>
      <p class="hint" role="status">
        {error !== undefined && texts.lookedAgain}
      </p>
    </>
  )
}
