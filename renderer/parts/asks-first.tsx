import { useState } from 'preact/hooks'
import { Question } from './question.tsx'

interface AsksFirstProps {
  readonly label: string
  readonly look: string | undefined
  readonly isDisabled: boolean
  /** The question before the action; absent if the button acts at once. */
  readonly question:
    | { readonly title: string; readonly body: string; readonly keep: string; readonly confirm: string }
    | undefined
  readonly onAsk: () => void
  readonly act: () => void
}

export const AsksFirst = ({ label, look, isDisabled, question, onAsk, act }: AsksFirstProps) => {
  const [asks, setAsks] = useState(false)
  const close = () => setAsks(false)
  const ask = () => {
    if (isDisabled) return
    if (question === undefined) return act()
    onAsk()
    setAsks(true)
  }
  const confirm = () => {
    close()
    act()
  }
  return (
    <>
      <button type="button" class={look} aria-disabled={isDisabled} onClick={ask}>
        {label}
      </button>
      {asks && question !== undefined && (
        <Question
          {...question}
          answers={[
            { label: question.keep, act: close },
            { label: question.confirm, act: confirm },
          ]}
          onEscape={close}
        />
      )}
    </>
  )
}
