import { useEffect } from 'preact/hooks'
import type { ChallengeView } from '../../contract/challenges.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { type Call, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { useCancel } from './use-cancel.ts'

interface InBrowserProps {
  readonly challenge: Extract<ChallengeView, { kind: 'browser' }>
  readonly answering: Call
}

/** Shown during the sign-in at the provider, in the browser. */
export const InBrowser = ({ challenge, answering }: InBrowserProps) => {
  const { api, texts } = useSurroundings()
  const { browser: words } = texts.challenge
  const reopening = useCall()
  const { id, issuer } = challenge

  useEffect(() => {
    answering.run(() => api.answerChallenge({ kind: 'browser', challenge: id }))
  }, [])
  const { cancel } = useCancel(answering)

  const reopen = (event: SubmitEvent) => {
    event.preventDefault()
    reopening.run(() => api.reopenBrowser({ challenge: id }))
  }

  return (
    <form noValidate aria-busy={true} onSubmit={reopen}>
      <div class="intro">
        <ArrivalHeading>{words.heading}</ArrivalHeading>
        <p class="lead">{words.lead}</p>
      </div>
      <p role="status">{words.waiting}</p>
      {reopening.trouble !== undefined && (
        <TroubleNotice trouble={reopening.trouble} during="challenge" issuer={issuer} host={undefined} role="alert" />
      )}
      <div class="foot">
        <button type="submit" aria-disabled={reopening.pending}>
          {words.again}
        </button>
        <button type="button" class="plain" onClick={cancel}>
          {texts.buttons.cancel}
        </button>
      </div>
    </form>
  )
}
