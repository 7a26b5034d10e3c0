/** What is wrong with a setting or a settings file. `text/` has a sentence for each defect. */

/** `detail` is a bracket, the allowed values or the name of a setting, but never a value, which may be secret. */
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
  /** The registry has a switch that isn't a DWORD. */
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
  /** No setting has this name. `detail` is the name that was probably meant. */
  | 'meant'
