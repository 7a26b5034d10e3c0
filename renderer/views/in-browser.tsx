import { useEffect } from 'preact/hooks'
import type { ChallengeView } from '../../contract/challenges.ts'
import { CancelLater } from '../parts/cancel-later.tsx'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useCall, useRetryWait } from '../parts/hooks.ts'
import { Problem, Status } from '../parts/status.tsx'
import { useCancel } from './use-cancel.ts'

interface InBrowserProps {
  readonly challenge: Extract<ChallengeView, { kind: 'browser' }>
  readonly answering: Call
  readonly onCancelled: () => void
}

export const InBrowser = ({ challenge, answering, onCancelled }: InBrowserProps) => {
  const { api, texts } = useSurroundings()
  const { browser: words } = texts.challenge
  const { heading, lead } = challenge.consent === true ? words.consent : words
  const reopening = useCall()
  const { id, issuer } = challenge
  const { pending, error } = reopening
  const [wait, mustWait] = useRetryWait(error)

  useEffect(() => {
    answering.run(() => api.answerChallenge({ kind: 'browser', challenge: id }))
  }, [])
  const { cancel } = useCancel(answering, onCancelled)

  const reopen = (event: SubmitEvent) => {
    event.preventDefault()
    if (mustWait) return
    reopening.run(() => api.reopenBrowser({ challenge: id }))
  }

  return (
    <form noValidate aria-busy={true} onSubmit={reopen}>
      {error === undefined ? (
        <Status title={heading} focuses>
          <p>{lead}</p>
        </Status>
      ) : (
        <Problem error={error} during="challenge" issuer={issuer} host={undefined} wait={wait} role="alert" />
      )}
      <p role="status">{words.waiting}</p>
      <div class="remedy">
        <button type="submit" class="plain" aria-disabled={pending || mustWait}>
          {words.again}
        </button>
        <CancelLater onCancel={cancel} />
      </div>
      <p class="hint">{words.errorPage}</p>
    </form>
  )
}
