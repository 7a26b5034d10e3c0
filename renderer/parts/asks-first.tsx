import { useRef, useState } from 'preact/hooks'
import { Question } from './question.tsx'

interface AsksFirstProps {
  readonly label: string
  readonly look: string | undefined
  readonly isDisabled: boolean
  /** Absent if the button need not ask now. */
  readonly question:
    | { readonly title: string; readonly body: string; readonly keep: string; readonly confirm: string }
    | undefined
  /** Called when the question appears. */
  readonly onAsk: () => void
  readonly act: () => void
}

/** A button that asks before it acts. The focus returns to it with the answer. */
export const AsksFirst = ({ label, look, isDisabled, question, onAsk, act }: AsksFirstProps) => {
  const [asks, setAsks] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAsks(false)
    button.current?.focus()
  }
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
      <button ref={button} type="button" class={look} aria-disabled={isDisabled} onClick={ask}>
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
