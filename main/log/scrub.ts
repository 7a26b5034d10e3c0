/**
 * The second net, for text that should hold no secret and might. The first is that secrets are `Secret`. Whatever
 * merely looks like one goes: a host or a sentence that reads oddly does less harm than a credential.
 */

const HIDDEN = '[secret]'
const NAME = '(?:pass(?:word|wd|phrase)|pwd|\\w*secret|\\w*token|api_?key|assertion|credentials?)'

const NETS: readonly (readonly [RegExp, string])[] = [
  // A header, as it is sent or as an object prints it; nothing after it is trusted either.
  [/((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=,]\s*).+/gis, `$1$2${HIDDEN}`],
  // `Basic YW5hOm5v` (RFC 7617), `Bearer x` (RFC 6750). What is all lower case is a word: `Basic authentication`.
  [/\b(basic|bearer|digest|negotiate|ntlm)\s+(?![a-z]+\b(?![\d+/=~.-]))[\w+/~.-]{4,}=*/gi, `$1 ${HIDDEN}`],
  // A JWT (RFC 7519), or the beginning of one: `{"` in base64url.
  [/eyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g, HIDDEN],
  // `https://ana:no@proxy.test` (RFC 3986 section 3.2.1), and the same without its scheme.
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s"'<>]*@/gi, `$1${HIDDEN}@`],
  [/(^|[\s"'=(,])[^\s:/@"']+:[^\s/@"']+@(?=[\w[])/g, `$1${HIDDEN}@`],
  // `"refreshToken":"x"`, `password: 'x'`; where such a text ends is not sure enough to show what follows.
  [new RegExp(`\\b(${NAME}["']?\\s*[:=]\\s*)["'\`].*`, 'gis'), `$1${HIDDEN}`],
  // `client_secret=x`
  [new RegExp(`\\b(${NAME}=)(?!["'\`[])[^\\s&;,"']+`, 'gi'), `$1${HIDDEN}`],
  // What only a machine would write: 24 characters of three kinds in one word, or 32 hexadecimal digits.
  [/(?<![\w+-])(?=[\w+-]*[A-Z])(?=[\w+-]*[a-z])(?=[\w+-]*\d)[\w+-]{24,}={0,2}/g, HIDDEN],
  [/\b[\da-f]{32,}\b/gi, HIDDEN],
]

/** Beyond this a text is cut before it is looked at: characters. */
const LONGEST = 4_000

// SECURITY: text of any origin ends up in files that people send to others.
export function scrub(text: string): string {
  return NETS.reduce((left, [net, put]) => left.replace(net, put), text.slice(0, LONGEST))
}
