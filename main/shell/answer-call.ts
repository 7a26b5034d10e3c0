import * as v from 'valibot'
import { type CallInput, type CallName, calls, type Handlers, type Outcome } from '../../preload/contract.ts'

interface Answering {
  readonly handlers: Handlers
  readonly report: (line: string) => void
}

/** The words the contract's parsers use; all others are valibot's own, and those quote the value. */
const KNOWN = ['empty', 'tooLong', 'inexpressible']

/**
 * The answer to a call of the window: `invalidInput` where the argument isn't what the contract says. Only a bug
 * rejects: what happened is reported here, and the window is told in a plain sentence.
 */
export async function answerCall<N extends CallName>(
  name: N,
  input: unknown,
  { handlers, report }: Answering,
): Promise<Outcome> {
  const parsed = v.safeParse(calls[name] as v.GenericSchema<unknown, CallInput<N>>, input)
  if (!parsed.success) return invalid(parsed.issues[0].message)
  try {
    return await handlers[name](parsed.output)
  } catch (error) {
    report(`${name}: ${error instanceof Error ? error.stack : 'failed'}`)
    throw new Error('Something went wrong inside Latchkey.')
  }
}

// SECURITY: says what is wrong, never the value.
function invalid(message: string): Outcome {
  const cause = KNOWN.includes(message) ? message : 'malformed'
  return { ok: false, failure: { code: 'invalidInput', details: { cause } } }
}
