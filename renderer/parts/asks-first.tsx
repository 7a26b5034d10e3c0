import { useRef, useState } from 'preact/hooks'
import { Question } from './question.tsx'

interface AsksFirstProps {
  readonly label: string
  readonly look: string
  readonly isDisabled: boolean
  readonly question: { readonly title: string; readonly body: string; readonly keep: string; readonly confirm: string }
  /** Called when the question appears. */
  readonly onAsk: () => void
  readonly act: () => void
}

/** A button that asks before it acts. The focus returns to it with the answer. */
export const AsksFirst = ({ label, look, isDisabled, question, onAsk, act }: AsksFirstProps) => {
  const [asks, setAsks] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { title, body, keep, confirm } = question
  const close = () => {
    setAsks(false)
    button.current?.focus()
  }
  const ask = () => {
    if (isDisabled) return
    onAsk()
    setAsks(true)
  }
  const answers = [
    { label: keep, act: close },
    {
      label: confirm,
      act: () => {
        close()
        act()
      },
    },
  ] as const
  return (
    <>
      <button ref={button} type="button" class={look} aria-disabled={isDisabled} onClick={ask}>
        {label}
      </button>
      {asks && <Question title={title} body={body} answers={answers} onEscape={close} />}
    </>
  )
}
