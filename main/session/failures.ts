/** Failures that begin in the engine itself. */
import { type Failure, fail } from '../../contract/failures.ts'

export const sessionEnded = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })
export const SUPERSEDED = fail(sessionEnded('signed out or signed in again meanwhile'))
export const RECOVERY_CODE_UNDER_WAY = fail({ code: 'interactionRequired', problem: 'recoveryCodeUnderWay' })
