/** English: what is wrong with a setting or a settings file. */
import type { Defect } from '../../contract/defects.ts'

export const enDefect = ({ kind, detail = '' }: Defect): string =>
  ({
    empty: 'The file is empty.',
    notAnObject: 'The file must be one object, in { and }.',
    commaBefore: `There’s a comma before ${detail}: remove it.`,
    commaMissing: 'A comma is missing before it.',
    colonMissing: 'A colon is missing before it.',
    notClosed: `A closing ${detail} is missing.`,
    textNotClosed: 'A closing quotation mark is missing.',
    afterTheEnd: 'There’s more text after the last }.',
    comment: 'JSON can’t contain comments: remove this one.',
    backslash: 'Write each backslash twice: \\\\.',
    quotes: 'Use straight double quotation marks: "',
    noQuotes: 'Put names and texts in quotation marks, and write true, false and null in lower case.',
    utf16: 'It’s UTF-16: save it as UTF-8.',
    notUtf8: 'It isn’t UTF-8: save it as UTF-8.',
    notAnAddress: 'It must be an address, such as https://data.example.com.',
    notHttps: 'The address must start with https://.',
    hasCredentials: 'The address must not contain a username or password.',
    hasQuery: 'The address must not contain ? or #.',
    switch: 'It must be true or false, without quotation marks.',
    dword: 'In the registry it must be a REG_DWORD: 1 for on, 0 for off.',
    port: 'It must be a whole number from 1024 to 65535.',
    oneOf: `It must be one of: ${detail}.`,
    text: 'It must be a text in quotation marks.',
    domain: 'It must be only a domain, such as login.example.com.',
    object: 'It must be an object, in { and }.',
    files: 'It must be a list of absolute paths, in [ and ].',
    certificate: 'It must name certFile and keyFile, or pfxFile, with absolute paths.',
    noCertificate: 'It contains no certificate.',
    connectionName:
      'A connection can’t have this name. Use a–z, 0–9, - and _: at most 32 characters, a letter or digit first.',
    meant: `Did you mean ${detail}?`,
  })[kind]
