import { cleanText, LONGEST_READ, shorten } from '../base/display-text.ts'
import type { Secret } from '../base/secret.ts'

const LONGEST = 300
/**
 * The length of the shortest secret that is replaced. A text with a shorter secret is dropped as a whole, because
 * replacing each `a` would show that the password is `a`.
 */
const SHORTEST_REPLACED = 4
const REPLACED = '[secret]'
// SECURITY: matches every word that begins like a JWT. Requiring a second part would take quadratic time.
const TOKEN_LIKE = /eyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g

/** Common words of errors. SECURITY: replacing one would show that the password is this word. */
const PUBLIC_WORDS: ReadonlySet<string> = new Set(
  `a access account address allowed an and application are assertion attempts audience auth authentication
   authorization bad been blocked by challenge client code consent credentials denied description disabled does email
   empty error exist expired failed for found from grant has id in incorrect invalid is it locked login malformed
   match method mfa missing multifactor must no not of or otp parameter password permission please pkce provided realm
   redirect refresh rejected request required resource response revoked scope secret server session sign supplied
   supported temporarily the this to token too many try type unauthorized unavailable unknown unsupported uri user
   username value verification was were with wrong you your`.split(/\s+/),
)

/** True if the text is a public word, or an error's name made of such words, for example `invalid_grant`. */
const isPublic = (form: string): boolean =>
  form
    .toLowerCase()
    .split('_')
    .every((word) => PUBLIC_WORDS.has(word))

const formsOf = (secret: Secret): string[] => {
  const value = secret.reveal()
  return [value, encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')), Buffer.from(value).toString('base64')]
}

/** SECURITY: a text that was cut off may end with the beginning of a secret. */
function withoutCutSecret(text: string, forms: readonly string[]): string {
  const lengths = forms.map((form) => {
    let length = Math.min(form.length, text.length)
    while (length > 0 && !text.endsWith(form.slice(0, length))) length--
    return length
  })
  const longest = Math.max(0, ...lengths)
  return longest === 0 ? text : `${text.slice(0, -longest)}${REPLACED}`
}

/** Makes a server's text fit to show: one line, 300 characters at most, without the request's secrets in any form. */
export function plainText(text: string, secrets: readonly Secret[]): string {
  const forms = secrets
    .flatMap(formsOf)
    .map(cleanText)
    .filter((form) => form !== '' && !isPublic(form))
    .sort((a, b) => b.length - a.length)
  // SECURITY: the length is limited, because the patterns take long on a long text.
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
