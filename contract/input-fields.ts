import * as v from 'valibot'

export type InputName = 'username' | 'password' | 'code' | 'recoveryCode'

export interface InputField {
  readonly name: InputName
  readonly kind: 'text' | 'password' | 'oneTimeCode'
  readonly autocomplete: 'username' | 'current-password' | 'one-time-code' | 'off'
  /** The longest value, in UTF-16 code units. */
  readonly maxLength: number
  /** Basic credentials can't carry every character. */
  readonly sentAs: 'json' | 'basicUsername' | 'basicPassword'
}

export type InputValues = { readonly [N in InputName]?: string }

// RFC 7617 section 2 allows no control characters, and UTF-8 has no form for an unpaired surrogate.
const INEXPRESSIBLE = /[\p{Cc}\p{Cs}]/u

export const isExpressible = (text: string): boolean => !INEXPRESSIBLE.test(text)

/** RFC 7617 section 2: the first colon ends the username. */
export const isBasicUsername = (text: string): boolean => !text.includes(':') && isExpressible(text)

// Spaces and invisible characters (zero-width, soft hyphens, directional marks), which are often pasted with a name.
const AROUND_NAMES = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu

/** Only names are trimmed, never passwords. */
const trimmedName = (text: string): string => text.replace(AROUND_NAMES, '')

export const inputSchema = ({ kind, maxLength, sentAs }: Pick<InputField, 'kind' | 'maxLength' | 'sentAs'>) =>
  v.pipe(
    v.string(),
    // SECURITY: limits the length before any pattern runs.
    v.maxLength(maxLength, 'tooLong'),
    v.transform((value) => (kind === 'text' ? trimmedName(value) : value)),
    v.minLength(1, 'empty'),
    v.check((value) => sentAs === 'json' || isExpressible(value), 'inexpressible'),
    v.check((value) => sentAs !== 'basicUsername' || isBasicUsername(value), 'inexpressible'),
  )

export const inputEntries = (fields: readonly InputField[]) =>
  Object.fromEntries(fields.map((field) => [field.name, inputSchema(field)]))
