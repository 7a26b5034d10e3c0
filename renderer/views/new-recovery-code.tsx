import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ChallengeView } from '../../contract/challenges.ts'
import { copyText } from '../parts/clipboard.ts'
import { useSurroundings } from '../parts/context.ts'
import type { Call } from '../parts/hooks.ts'
import { Problem, Status } from '../parts/status.tsx'

interface NewRecoveryCodeProps {
  readonly challenge: Extract<ChallengeView, { kind: 'newRecoveryCode' }>
  readonly answering: Call
}

/** The recovery code that replaces a used one. The sign-in continues when the user confirms that it is saved. */
export const NewRecoveryCode = ({ challenge, answering }: NewRecoveryCodeProps) => {
  const { api, texts } = useSurroundings()
  const { newRecoveryCode: words } = texts.challenge
  const code = useRef<HTMLOutputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const about = useId()
  const { id, issuer } = challenge

  // SECURITY: no state keeps the code: it goes straight onto the page, and disappears with this view.
  useLayoutEffect(() => {
    const place = code.current
    api.showRecoveryCode({ challenge: id }).then(
      (outcome) => {
        if (outcome.ok && place?.isConnected) place.textContent = outcome.value
      },
      () => {},
    )
    return () => {
      if (place !== null) place.textContent = ''
    }
  }, [api, id])

  const confirm = (event: SubmitEvent) => {
    event.preventDefault()
    answering.run(() => api.answerChallenge({ kind: 'newRecoveryCode', challenge: id }))
  }
  return (
    <form noValidate aria-busy={answering.pending} onSubmit={confirm}>
      {answering.error === undefined ? (
        <Status title={words.heading} focuses describedBy={about}>
          <p id={about}>{words.lead}</p>
        </Status>
      ) : (
        <Problem error={answering.error} during="challenge" issuer={issuer} host={undefined} role="alert" />
      )}
      <p class="field">
        {/* Screen readers read the heading when the code appears. Later, they can read the code letter by letter. */}
        <output ref={code} class="recovery-code" aria-label={words.label} aria-live="off" />
      </p>
      <div class="remedy">
        <button type="button" class="plain" onClick={() => setCopied(copyText(code.current?.textContent ?? ''))}>
          {words.copy}
        </button>
        <button type="submit" aria-disabled={answering.pending}>
          {words.keep}
        </button>
        <span class="hint" role="status">
          {isCopied && texts.details.copied}
        </span>
      </div>
    </form>
  )
}
