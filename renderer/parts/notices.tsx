import { useState } from 'preact/hooks'
import { copyText } from './clipboard.ts'
import { useSurroundings } from './context.ts'

/** Settings that could not be used. The user can show them to the administrator. */
export const Notices = ({ notices }: { readonly notices: readonly string[] }) => {
  const { texts } = useSurroundings()
  const [said, say] = useState('')
  const copy = () => say(copyText(notices.join('\n')) ? texts.details.copied : texts.tools.notCopied)
  return (
    <details class="notices">
      <summary>{texts.notices.count(notices.length)}</summary>
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
      <p>
        {texts.notices.show}{' '}
        <button type="button" class="link" onClick={copy}>
          {texts.details.copy}
        </button>{' '}
        <span role="status">{said}</span>
      </p>
    </details>
  )
}
