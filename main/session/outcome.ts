/** The failures that the engine itself makes. */
import { type Failure, fail } from '../../contract/failures.ts'

export const ended = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })
export const OVERTAKEN = fail(ended('signed out or signed in anew meanwhile'))
