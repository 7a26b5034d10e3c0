/** The fields of a sign-in, described once for both the form and the call's parser. */
import * as v from 'valibot'

/** The names of the fields. Each field has a label and an error message in `text/`. */
export type InputName = 'username' | 'password' | 'code' | 'recoveryCode'

export interface InputField {
  readonly name: InputName
  readonly kind: 'text' | 'password' | 'oneTimeCode'
  readonly autocomplete: 'username' | 'current-password' | 'one-time-code' | 'off'
  /** The maximum length, in UTF-16 code units. */
  readonly maxLength: number
  /** How the value is sent: Basic credentials can't carry every character. */
  readonly sentAs: 'json' | 'basicUsername' | 'basicPassword'
}

/** The values that the user entered, by field. */
export type InputValues = { readonly [N in InputName]?: string }

// RFC 7617 section 2: credentials can't contain control characters. UTF-8 can't encode an unpaired surrogate.
const INEXPRESSIBLE = /[\p{Cc}\p{Cs}]/u

export const isExpressible = (text: string): boolean => !INEXPRESSIBLE.test(text)

/** RFC 7617 section 2: the first colon ends the username. */
export const isBasicUsername = (text: string): boolean => !text.includes(':') && isExpressible(text)

// Spaces and invisible characters (no-break, zero-width, soft hyphens, directional marks), often pasted with a name.
const AROUND_NAMES = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu

/** A name without what was pasted around it. A password is never trimmed. */
export const trimmedName = (text: string): string => text.replace(AROUND_NAMES, '')

/** Parses one field's value. */
export const inputSchema = ({ kind, maxLength, sentAs }: Pick<InputField, 'kind' | 'maxLength' | 'sentAs'>) =>
  v.pipe(
    v.string(),
    // SECURITY: the length is limited before any pattern runs.
    v.maxLength(maxLength, 'tooLong'),
    v.transform((value) => (kind === 'text' ? trimmedName(value) : value)),
    v.minLength(1, 'empty'),
    v.check((value) => sentAs === 'json' || isExpressible(value), 'inexpressible'),
    v.check((value) => sentAs !== 'basicUsername' || isBasicUsername(value), 'inexpressible'),
  )

/** The entries of an object schema for these fields. */
export const inputEntries = (fields: readonly InputField[]) =>
  Object.fromEntries(fields.map((field) => [field.name, inputSchema(field)]))
