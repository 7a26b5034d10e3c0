/** Texts of any length. A flawed regular expression needs quadratic time or more for one of them. */

const repeated =
  (part: string, before = '', after = '') =>
  (length: number): string =>
    before + part.repeat(Math.floor((length - before.length - after.length) / part.length)) + after

/** What each text repeats: single characters, invisible ones, and what begins something that a reader looks for. */
const PARTS = [
  ...'aA9f \t\n/-.="<([{@:;,\u0301\u200b\u001b\u{1f511}',
  ...['\ud83d', 'eyJ', 'eyJaaaaaaa.', 'a.', '"\\', '\\"', 'a ', ' a', ', ', ',\t', '((:', 'A+', 'a@', 'a:b@'],
  ...['@a/', '@['],
  ...['://', 'Basic ', 'basic,', 'realm="\\', 'Bearer a ', 'token ', 'token=', 'password:', 'cookie', '<!--', '<?a?>'],
  ...['a/home/', 'C:\\Users\\', 'PROXY a:1;', 'PROXY ', '0.0.0.0,', '[::1],', 'http://a', 'http://:', '-----', '[1,'],
  ...['-----BEGIN CERTIFICATE-----', '"a":1,', '"a":{', '{"a":', '\\u0061', 'SSL routines:', 'Hidden', 'Hidden ='],
  ...['publisherName:', '-inspect '],
]

export const WORST_TEXTS = PARTS.flatMap((part) => [
  repeated(part),
  repeated(part, '', '\nx'),
  repeated(part, 'a', '\u0000a'),
])
