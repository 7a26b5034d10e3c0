/** Hides secrets that bypassed the type `Secret`. A garbled sentence does less harm than a leaked credential. */

const HIDDEN = '[secret]'
const NAME = '(?:pass(?:word|wd|phrase)|pwd|\\w*secret|\\w*token|api_?key|assertion|credentials?)'

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A header, as sent or as Node prints it. The rest of the line is removed, too.
  [/((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=,]\s*).+/gis, `$1$2${HIDDEN}`],
  // `Basic YW5hOm5v` (RFC 7617), `Bearer x` (RFC 6750). A token may be any visible ASCII, but lower-case letters alone,
  // as in `Basic authentication`, are probably a word.
  [/\b(basic|bearer|digest|negotiate|ntlm)\s+(?![a-z]+\b(?![\d+/=~.-]))[!-~]{4,}/gi, `$1 ${HIDDEN}`],
  // A JWT (RFC 7519), or the beginning of one. `eyJ` is `{"` in base64url.
  [/eyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g, HIDDEN],
  // `https://ana:no@proxy.test` (RFC 3986 section 3.2.1). The next pattern finds such credentials without a scheme.
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s"'<>]*@/gi, `$1${HIDDEN}@`],
  [/(^|[\s"'=(,])[^\s:/@"']+:[^\s/@"']+@(?=[\w[])/g, `$1${HIDDEN}@`],
  // `"refreshToken":"x"`, `password: 'x'`. Where the value ends is uncertain, so the rest of the line is removed, too.
  [new RegExp(`\\b(${NAME}["']?\\s*[:=]\\s*)["'\`].*`, 'gis'), `$1${HIDDEN}`],
  // `client_secret=x`
  [new RegExp(`\\b(${NAME}=)(?!["'\`[])[^\\s&;,"']+`, 'gi'), `$1${HIDDEN}`],
  // Random strings: 24 characters from three character classes, or 32 hexadecimal digits.
  [/(?<![\w+-])(?=[\w+-]*[A-Z])(?=[\w+-]*[a-z])(?=[\w+-]*\d)[\w+-]{24,}={0,2}/g, HIDDEN],
  [/\b[\da-f]{32,}\b/gi, HIDDEN],
]

/** The longest text that is searched. A longer text is cut first. */
const LONGEST = 4_000

// SECURITY: text from any source ends up in files that people send to others.
export function scrub(text: string): string {
  return PATTERNS.reduce((left, [net, put]) => left.replace(net, put), text.slice(0, LONGEST))
}
