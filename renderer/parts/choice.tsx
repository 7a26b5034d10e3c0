import { useRef } from 'preact/hooks'

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** An ARIA radio group. Its options aren't labels, because one is called “Password”, like a field of the form. */
export const Choice = <T extends string>({ label, options, value, onChange }: ChoiceProps<T>) => {
  const group = useRef<HTMLDivElement>(null)

  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    const at = options.findIndex((option) => option.value === value)
    const next = (at + by + options.length) % options.length
    const option = options[next]
    if (option === undefined) return
    onChange(option.value)
    group.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div ref={group} class="choice" role="radiogroup" aria-label={label} onKeyDown={step}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio button needs a label element
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
