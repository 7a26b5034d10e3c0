/** What is wrong with a setting or a settings file, in terms that a sentence can be made of (`text/`). */

/** `detail` is never a value, which can be a secret: a bracket, the values allowed, or the name of a setting. */
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

type EncodingDefect = 'utf16' | 'notUtf8'

type ValueDefect =
  | 'notAnAddress'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
  | 'switch'
  /** As `switch`, in the registry. */
  | 'dword'
  | 'port'
  | 'oneOf'
  | 'text'
  | 'domain'
  | 'object'
  | 'files'
  | 'certificate'
  | 'noCertificate'
  | 'connectionName'
  /** The key is not a setting, but looks like the one named. */
  | 'meant'
