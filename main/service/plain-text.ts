import type { Secret } from '../session/secret.ts'

const LONGEST = 300
/** Replacing every `a` of a text would tell that the password is `a`: below this length the text is dropped. */
const SHORTEST_REPLACED = 4
const REPLACED = '[secret]'
const TOKEN_LIKE = /eyJ[\w-]{5,}(?:\.[\w-]*){1,2}/g

const clean = (text: string): string =>
  text
    .replace(/[\s\p{Z}]/gu, ' ')
    // SECURITY: control characters, bidi overrides and invisible ones make a text read as what it is not.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/ +/g, ' ')
    .trim()

const formsOf = (secret: Secret): string[] => {
  const value = secret.reveal()
  return [value, encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd')), Buffer.from(value).toString('base64')]
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * A stranger's text as something that can be shown: one line of plain text, at most 300 characters, without
 * the secrets of the request it answers, however the stranger wrote them.
 */
export function plainText(text: string, secrets: readonly Secret[]): string {
  const forms = secrets
    .flatMap(formsOf)
    .map(clean)
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
  let shown = clean(text)
  for (const form of forms) {
    if (!shown.includes(form)) continue
    if (form.length < SHORTEST_REPLACED) return ''
    // SECURITY: a server may echo what it was sent.
    shown = shown.replaceAll(form, REPLACED)
  }
  return cut(shown.replace(TOKEN_LIKE, REPLACED))
}
