import { causeInWords } from '../../../text/cause.ts'
import type { Finding } from '../line.ts'
import { type BrowserTarget, hostOf, type Ports } from '../ports.ts'

/**
 * Checks that a sign-in in the browser can begin: the provider's addresses, and the listener for the callback. Opens
 * nothing.
 */
export async function checkBrowser(
  { url, findPage, tryPort, isWaiting }: BrowserTarget,
  { texts }: Ports<'texts'>,
): Promise<Finding> {
  const says = texts.diagnostics.browser
  const host = hostOf(url)
  const port = await tryPort()
  const isOurs = !port.ok && isWaiting()
  if (!port.ok && !isOurs) {
    return { state: 'failed', ...says.portTaken(causeInWords(texts.causes, causeOf(port.failure))) }
  }
  const page = await findPage()
  if (!page.ok) return { state: 'failed', ...says.notFound(host, causeInWords(texts.causes, causeOf(page.failure))) }
  return { state: 'ok', sentence: (isOurs ? says.waiting : says.good)(hostOf(page.value)) }
}

const causeOf = ({
  code,
  details,
}: {
  readonly code: string
  readonly details?: { readonly cause?: string }
}): string => details?.cause ?? code
