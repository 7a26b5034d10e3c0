/** What is wrong with a setting or a settings file; `text/` makes a sentence of it. */

/**
 * `detail` is a bracket, the allowed values or a setting's name. It never contains a value, because that may be secret.
 */
export interface Defect {
  readonly kind: SyntaxDefect | EncodingDefect | ValueDefect
  readonly detail?: string
}

type SyntaxDefect =
  | 'empty'
  | 'notAnObject'
  | 'commaBefore'
  | 'commaMissing'
  | 'colonMissing'
  | 'notClosed'
  | 'textNotClosed'
  | 'afterTheEnd'
  | 'comment'
  | 'backslash'
  | 'quotes'
  | 'noQuotes'
  | 'registryLine'

type EncodingDefect = 'utf16' | 'notUtf8'

type ValueDefect =
  | 'notAnAddress'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
  | 'switch'
  /** In the registry, a switch must be a DWORD. */
  | 'dword'
  | 'port'
  | 'oneOf'
  | 'text'
  | 'domain'
  | 'object'
  | 'files'
  | 'certificate'
  | 'noCertificate'
  | 'key'
  | 'pfx'
  | 'connectionName'
  | 'topLevel'
  /** No setting has this name, but one has a similar name. */
  | 'meant'
