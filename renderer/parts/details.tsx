import { useRef, useState } from 'preact/hooks'
import type { FailureDetails } from '../../contract/failures.ts'
import { causeInWords } from '../../text/cause.ts'
import type { Texts } from '../../text/index.ts'
import { copyText } from './clipboard.ts'
import { useSurroundings } from './context.ts'

export function detailLines(texts: Texts, details: FailureDetails): readonly (readonly [string, string])[] {
  const { details: words, format } = texts
  const { operation, host, status, proxy, certificate, cause, at } = details
  // A cause that only repeats the HTTP status is left out, because the status has its own line.
  const untold = cause === `HTTP ${status}` ? undefined : cause
  const lines: readonly (readonly [string, string | undefined])[] = [
    [words.operation, operation && (words.operations[operation] ?? operation)],
    [words.host, host],
    [words.proxy, proxy],
    [words.status, status === undefined ? undefined : `HTTP ${status}`],
    [words.cause, untold && causeInWords(words.causes, untold)],
    [words.certificate, certificate?.subject],
    [words.issuer, certificate?.issuer],
    [words.validity, certificate && words.validFromTo(certificate.validFrom, certificate.validTo)],
    [words.at, at && format.timestamp(at)],
  ]
  return lines.filter((line): line is readonly [string, string] => line[1] !== undefined && line[1] !== '')
}

export const Details = ({ details }: { readonly details: FailureDetails | undefined }) => {
  const { texts } = useSurroundings()
  const list = useRef<HTMLDListElement>(null)
  const [said, setSaid] = useState('')
  const lines = details === undefined ? [] : detailLines(texts, details)
  if (lines.length === 0) return null

  const copy = () => {
    if (copyText(lines.map(([label, value]) => `${label}: ${value}`).join('\n'))) return setSaid(texts.details.copied)
    if (list.current !== null) getSelection()?.selectAllChildren(list.current)
    setSaid(texts.details.selected)
  }

  return (
    <details class="details">
      <summary>{texts.details.summary}</summary>
      <dl ref={list}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="details-actions">
        <button type="button" class="link" onClick={copy}>
          {texts.details.copy}
        </button>
        <span role="status">{said}</span>
      </p>
    </details>
  )
}
