import * as v from 'valibot'
import { type CallInput, type CallName, calls, type Handlers } from '../../contract/calls.ts'
import type { Failure, Outcome } from '../../contract/failures.ts'
import type { Report } from '../log/report.ts'

interface Answering {
  readonly handlers: Handlers
  readonly report: Report
  /** Told of each call that failed as calls may. */
  readonly onFailure: (name: CallName, failure: Failure) => void
}

/** The words the contract's parsers use; all others are valibot's own, and those quote the value. */
const KNOWN = ['empty', 'tooLong', 'inexpressible', 'currentPassword']

/**
 * The answer to a call of the window: `invalidInput` where the argument isn't what the contract says. Only a bug
 * rejects: what happened is reported here, and the window is told in a plain sentence.
 */
export async function answerCall<N extends CallName>(
  name: N,
  input: unknown,
  { handlers, report, onFailure }: Answering,
): Promise<Outcome> {
  const parsed = v.safeParse(calls[name] as v.GenericSchema<unknown, CallInput<N>>, input)
  if (!parsed.success) return invalid(parsed.issues[0].message)
  try {
    const outcome = await handlers[name](parsed.output)
    if (!outcome.ok) onFailure(name, outcome.failure)
    return outcome
  } catch (error) {
    report(name, error)
    throw new Error('Something went wrong inside Latchkey.')
  }
}

// SECURITY: says what is wrong, never the value.
function invalid(message: string): Outcome {
  const cause = KNOWN.includes(message) ? message : 'malformed'
  return { ok: false, failure: { code: 'invalidInput', details: { cause } } }
}
