import type { Failure, Outcome } from '../../contract/failures.ts'

const LONGEST_CAUSE = 300

/** Why keytar can't take a text unchanged; `undefined` where it can. It passes C strings of UTF-8. */
export function whyUnstorable(text: string): string | undefined {
  if (text === '') return 'it is empty'
  // SECURITY: a NUL would cut the value, or make two names one, without a word.
  if (text.includes('\0')) return 'it holds a NUL'
  if (Buffer.from(text, 'utf8').toString('utf8') !== text) return 'it is not well-formed Unicode'
  return undefined
}

/** What a write or a delete answers when the entry may not stand as asked. `cause` is technical and holds no secret. */
export function unavailable(operation: 'keychainWrite' | 'keychainDelete', cause: string): Outcome {
  const failure: Failure = { code: 'keychainUnavailable', details: { operation, cause: cause.slice(0, LONGEST_CAUSE) } }
  return { ok: false, failure }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
