import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Answer {
  readonly label: string
  readonly act: () => void
}

interface QuestionProps {
  readonly title: string
  readonly body: string
  /** The first answer loses nothing, and has the focus. */
  readonly answers: readonly [Answer, ...Answer[]]
  readonly onEscape: () => void
  readonly isMain?: boolean
}

export const Question = ({ title, body, answers, onEscape, isMain = false }: QuestionProps) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const safe = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    const before = document.activeElement
    safe.current?.focus()
    current?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (before instanceof HTMLElement && current?.contains(document.activeElement)) before.focus()
    }
  }, [])

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return
    event.stopPropagation()
    onEscape()
  }
  return (
    <div
      ref={box}
      class="status warn question"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      onKeyDown={onKey}
    >
      {isMain ? <h1 id={`${id}-title`}>{title}</h1> : <strong id={`${id}-title`}>{title}</strong>}
      <p id={`${id}-body`} class="lead">
        {body}
      </p>
      <div class="remedy">
        {answers.map(({ label, act }, index) => (
          <button key={label} ref={index === 0 ? safe : null} type="button" class="plain" onClick={act}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
