import { cleanText, LONGEST_READ, shorten } from '../base/display-text.ts'
import type { Secret } from '../base/secret.ts'

const LONGEST = 300
/** Replacing every `a` would reveal that the password is `a`, so with a very short secret the whole text is dropped. */
const SHORTEST_REPLACED = 4
const REPLACED = '[secret]'
// SECURITY: matches every word that begins like a JWT. If the pattern required a second part, matching would take
// quadratic time.
const TOKEN_LIKE = /eyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g

const formsOf = (secret: Secret): string[] => {
  const value = secret.reveal()
  return [value, encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')), Buffer.from(value).toString('base64')]
}

/** SECURITY: a cut text may end with the beginning of a secret, which a search for the whole secret misses. */
function withoutCutSecret(text: string, forms: readonly string[]): string {
  const lengths = forms.map((form) => {
    let length = Math.min(form.length, text.length)
    while (length > 0 && !text.endsWith(form.slice(0, length))) length--
    return length
  })
  const longest = Math.max(0, ...lengths)
  return longest === 0 ? text : `${text.slice(0, -longest)}${REPLACED}`
}

/**
 * Prepares external text for display: one line of plain text, at most 300 characters, without the request's secrets in
 * any encoding.
 */
export function plainText(text: string, secrets: readonly Secret[]): string {
  const forms = secrets
    .flatMap(formsOf)
    .map(cleanText)
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
  // SECURITY: limit the length before any pattern runs.
  let shown = cleanText(text.slice(0, LONGEST_READ))
  for (const form of forms) {
    if (!shown.includes(form)) continue
    if (form.length < SHORTEST_REPLACED) return ''
    // SECURITY: a server may repeat what we sent.
    shown = shown.replaceAll(form, REPLACED)
  }
  if (text.length > LONGEST_READ) shown = withoutCutSecret(shown, forms)
  return shorten(shown.replace(TOKEN_LIKE, REPLACED), LONGEST)
}
