/** Texts of 256 KB that take at least quadratic time with a flawed pattern, and other large texts. */

const LENGTH = 256 * 1024

const repeated = (part: string, before = '', after = ''): string =>
  before + part.repeat(Math.floor((LENGTH - before.length - after.length) / part.length)) + after

export const WORST_TEXTS: readonly string[] = [
  ...['a', 'A', '9', 'f', ' ', '\t', '\n', '/', '-', '.', '=', '"', '<', '(', '[', '{', '@', ':', ';', ','],
  ...['\u0301', '\u200b', '\ud83d', '\u{1f511}', '\u001b'],
  ...[
    'eyJ',
    'eyJeeeee',
    'eyJaaaaaaa.',
    'a.',
    '"\\',
    '\\"',
    'a ',
    ' a',
    ', ',
    ',\t',
    '((:',
    'A+',
    'a@',
    'a:b@',
    '@a/',
    '@[',
    '://',
  ],
  ...[
    'Basic ',
    'basic,',
    'realm="\\',
    'Bearer a ',
    'token ',
    'token=',
    'password:',
    'cookie',
    '<!--',
    '<?a?>',
    'a/home/',
    'C:\\Users\\',
  ],
  ...['PROXY a:1;', 'PROXY ', '0.0.0.0,', '[::1],', 'http://a', 'http://:', '-----BEGIN CERTIFICATE-----', '-----'],
  ...[
    '"a":1,',
    '"a":{',
    '{"a":',
    '[1,',
    '\\u0061',
    'SSL routines:',
    'Hidden',
    'Hidden =',
    'publisherName:',
    '-inspect ',
  ],
].flatMap((part) => [repeated(part), repeated(part, '', '\nx'), repeated(part, 'a', '\u0000a')])

/**
 * Returns the processor time of `work` in milliseconds: the least of up to three measurements, because the first may
 * include compilation or garbage collection. A pattern that takes quadratic time needs seconds.
 */
export function busyFor(work: () => unknown, limit: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && best >= limit; tries++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}
