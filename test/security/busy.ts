/** Texts of any length. A flawed regular expression needs quadratic time or more for one of them. */

const repeated =
  (part: string, before = '', after = '') =>
  (length: number): string =>
    before + part.repeat(Math.floor((length - before.length - after.length) / part.length)) + after

export const WORST_TEXTS: readonly ((length: number) => string)[] = [
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
