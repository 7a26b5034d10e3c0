import { useEffect } from 'preact/hooks'
import type { ChallengeView } from '../../contract/challenges.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { type Call, useCall, useRetryWait } from '../parts/hooks.ts'
import { ErrorNotice } from '../parts/notice.tsx'
import { useCancel } from './use-cancel.ts'

interface InBrowserProps {
  readonly challenge: Extract<ChallengeView, { kind: 'browser' }>
  readonly answering: Call
}

/** Shown during the sign-in at the provider, in the browser. */
export const InBrowser = ({ challenge, answering }: InBrowserProps) => {
  const { api, texts } = useSurroundings()
  const { browser: words } = texts.challenge
  const { heading, lead } = challenge.consent === true ? words.consent : words
  const reopening = useCall()
  const { id, issuer } = challenge
  const { pending, error } = reopening
  const wait = useRetryWait(error)
  const mustWait = wait !== undefined && wait > 0

  useEffect(() => {
    answering.run(() => api.answerChallenge({ kind: 'browser', challenge: id }))
  }, [])
  const { cancel } = useCancel(answering)

  const reopen = (event: SubmitEvent) => {
    event.preventDefault()
    if (mustWait) return
    reopening.run(() => api.reopenBrowser({ challenge: id }))
  }

  return (
    <form noValidate aria-busy={true} onSubmit={reopen}>
      <div class="intro">
        <ArrivalHeading>{heading}</ArrivalHeading>
        <p class="lead">{lead}</p>
      </div>
      <p role="status">{words.waiting}</p>
      <p class="hint">{words.errorPage}</p>
      {error !== undefined && (
        <ErrorNotice error={error} during="challenge" issuer={issuer} host={undefined} wait={wait} role="alert" />
      )}
      <div class="foot">
        <button type="submit" aria-disabled={pending || mustWait}>
          {words.again}
        </button>
        <button type="button" class="plain" onClick={cancel}>
          {texts.buttons.cancel}
        </button>
      </div>
    </form>
  )
}
