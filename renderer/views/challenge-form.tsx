import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { ANSWERS, type AnswerInput, type Authenticator, type ChallengeView } from '../../contract/challenges.ts'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useIsSlow, useRetryWait } from '../parts/hooks.ts'
import { InputFields, useInputs } from '../parts/input-fields.tsx'
import { Problem, Status } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-sign-in.tsx'
import { useCancel } from './use-cancel.ts'

interface ChallengeFormProps {
  readonly challenge: Exclude<ChallengeView, { kind: 'newRecoveryCode' | 'browser' }>
  readonly answering: Call
  readonly host: string | undefined
  readonly onCancelled: () => void
}

export const ChallengeForm = ({ challenge, answering, host, onCancelled }: ChallengeFormProps) => {
  const { api, texts } = useSurroundings()
  const { kind, issuer } = challenge
  const { pending, error } = answering
  const inputs = useInputs(ANSWERS[kind].fields)
  // The provider replaces a recovery code while checking it, so cancelling at that time would lose the new code.
  const canCancel = !(kind === 'recoveryCode' && pending)
  const { cancel, isCancelled } = useCancel(answering, onCancelled, canCancel)
  const hasFields = inputs.fields.length > 0
  const isWaiting = kind === 'approval' && error === undefined

  // SECURITY: no variable, state or closure of ours keeps the typed text.
  const answer = (option?: Pick<AnswerInput, 'option'>) =>
    answering.run(
      () => api.answerChallenge({ kind, challenge: challenge.id, ...option, ...inputs.values() }),
      inputs.answered,
    )
  // An approval needs no input, so its answer is sent without a click.
  const isDue = isWaiting && !pending && !isCancelled.current
  useEffect(() => {
    if (isDue) answer()
  }, [isDue])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (pending || mustWait) return
    if (inputs.check()) answer()
    else answering.clear()
  }

  const [wait, mustWait] = useRetryWait(error)
  const usual = kind === 'choose' ? challenge.usual : undefined
  const instruction = useId()
  // Screen readers announce a live region only when its content changes after the region has appeared.
  const isHeard = useIsSlow(isWaiting, 0)
  const label = kind === 'choose' ? undefined : challenge.authenticator.label
  const lead = kind === 'choose' ? texts.challenge.choose : texts.challenge.lead[challenge.authenticator.kind]
  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      {error === undefined ? (
        <Status title={texts.challenge.heading} focuses={!hasFields && usual === undefined} describedBy={instruction} />
      ) : (
        <Problem
          error={error}
          during="challenge"
          issuer={issuer}
          host={host}
          wait={wait}
          remedy={<ProxyAsks error={error} />}
          role="alert"
        />
      )}
      <p id={instruction} class="instruction">
        {label === undefined ? (
          lead
        ) : (
          <>
            {lead.replace(/\.$/, '')} <Label label={label} ends />
          </>
        )}
      </p>
      <InputFields inputs={inputs} readOnly={pending} describedBy={instruction} />
      {kind === 'choose' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend can't be the paragraph above
        <div class="options" role="group" aria-labelledby={instruction}>
          {challenge.options.map((option) => (
            <Option
              key={option.id}
              option={option}
              isUsual={option.id === usual}
              pending={pending}
              onChoose={() => answer({ option: option.id })}
            />
          ))}
        </div>
      )}
      {kind === 'approval' && <p role="status">{isWaiting && isHeard && texts.challenge.waiting}</p>}
      <div class="remedy">
        {kind !== 'choose' && !isWaiting && (
          <button type="submit" class={pending ? 'busy' : undefined} aria-disabled={pending || mustWait}>
            {pending ? texts.buttons.continuing : texts.buttons.continue}
          </button>
        )}
        {canCancel && (
          <button type="button" class="link" onClick={cancel}>
            {texts.buttons.cancel}
          </button>
        )}
      </div>
    </form>
  )
}

interface OptionProps {
  readonly option: Authenticator
  /** True for the user's last choice, which has the focus when the form appears. */
  readonly isUsual: boolean
  readonly pending: boolean
  readonly onChoose: () => void
}

const Option = ({ option: { kind, label }, isUsual, pending, onChoose }: OptionProps) => {
  const { texts } = useSurroundings()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isUsual) button.current?.focus()
  }, [])
  return (
    <button ref={button} type="button" class="plain" aria-disabled={pending} onClick={onChoose}>
      {texts.challenge.authenticators[kind]}
      {label !== undefined && (
        <>
          {' · '}
          <Label label={label} />
        </>
      )}
      {isUsual && ` · ${texts.challenge.usual}`}
    </button>
  )
}

/** A masked phone number or address. Screen readers read only the end that is known, not every dot. */
const Label = ({ label, ends = false }: { readonly label: string; readonly ends?: boolean }) => {
  const { texts } = useSurroundings()
  const shown = (text: string) => (ends ? `(${text}).` : text)
  const end = /^[\s•*xX.]*[•*][\s•*xX.-]*(\d+)$/.exec(label)?.[1]
  if (end === undefined) return <bdi>{shown(label)}</bdi>
  return (
    <>
      <bdi aria-hidden="true">{shown(label)}</bdi>
      <span class="unseen">{shown(texts.challenge.endingIn(end))}</span>
    </>
  )
}
