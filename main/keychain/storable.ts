import { type Failure, fail, type Outcome } from '../../contract/failures.ts'

/** The service name of all entries. */
export const SERVICE = 'Latchkey'

const LONGEST_CAUSE = 300

/** Why keytar can't store a text unchanged; `undefined` if it can. Keytar uses C strings in UTF-8. */
export function whyUnstorable(text: string): string | undefined {
  if (text === '') return 'it is empty'
  // SECURITY: the text would silently end at the NUL: a value would be incomplete, and two names could become the same.
  if (text.includes('\0')) return 'it holds a NUL'
  if (Buffer.from(text, 'utf8').toString('utf8') !== text) return 'it is not well-formed Unicode'
  return undefined
}

/** The outcome of a write or delete that failed or may have failed. `cause` is technical and contains no secret. */
export function unavailable(operation: 'keychainWrite' | 'keychainDelete', cause: string): Outcome {
  const failure: Failure = { code: 'keychainUnavailable', details: { operation, cause: cause.slice(0, LONGEST_CAUSE) } }
  return fail(failure)
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
