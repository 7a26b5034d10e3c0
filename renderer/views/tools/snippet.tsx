import { useId } from 'preact/hooks'
import { copyText } from '../../parts/clipboard.ts'
import { useSurroundings } from '../../parts/context.ts'

interface SnippetProps {
  readonly label: string
  readonly code: string
  readonly onCopied: (isCopied: boolean) => void
}

export const Snippet = ({ label, code, onCopied }: SnippetProps) => {
  const { texts } = useSurroundings()
  const id = useId()
  return (
    <section class="snippet" aria-labelledby={id}>
      <div>
        <h2 id={id}>{label}</h2>
        <button type="button" class="link" aria-describedby={id} onClick={() => onCopied(copyText(code))}>
          {texts.tools.copy}
        </button>
      </div>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
  )
}
