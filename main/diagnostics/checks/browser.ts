import { assertNever } from '../../../contract/assert-never.ts'
import { causeInWords } from '../../../text/cause.ts'
import { hostOf } from '../../service/response.ts'
import type { Finding } from '../line.ts'
import type { BrowserTarget, Ports } from '../ports.ts'

/** Checks all of a sign-in in the browser that is possible without the user. Opens no page. */
export async function checkBrowser(
  { url, redirectUri, check, tryPort, isWaiting }: BrowserTarget,
  { texts }: Ports<'texts'>,
): Promise<Finding> {
  const says = texts.diagnostics.browser
  const host = hostOf(url)
  const port = await tryPort()
  const isOurs = !port.ok && isWaiting()
  if (!port.ok && !isOurs) {
    return { state: 'failed', ...says.portTaken(causeInWords(texts.causes, causeOf(port.failure))) }
  }
  const checked = await check()
  if (!checked.ok) {
    return { state: 'failed', ...says.notFound(host, causeInWords(texts.causes, causeOf(checked.failure))) }
  }
  const found = checked.value
  switch (found.kind) {
    case 'refused':
      return { state: 'failed', ...says.refused(host, found.cause), details: [redirectUri] }
    case 'errorPage':
      // A guessed address may be wrong, so an error page there says nothing about the client.
      return {
        state: 'failed',
        ...(found.isGuessed ? says.guessed(host) : says.errorPage(host, found.status, redirectUri)),
      }
    case 'ready': {
      if (found.isGuessed) return { state: 'warning', ...says.guessed(host) }
      if (found.noRefresh !== undefined) return { state: 'warning', ...says.noRefresh(host, found.noRefresh) }
      return { state: 'ok', sentence: (isOurs ? says.waiting : says.good)(hostOf(found.page)) }
    }
    default:
      return assertNever(found)
  }
}

const causeOf = ({
  code,
  details,
}: {
  readonly code: string
  readonly details?: { readonly cause?: string }
}): string => details?.cause ?? code
