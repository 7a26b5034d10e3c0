/** The outcomes that the engine itself makes. */
import type { Failure, Outcome } from '../../preload/contract.ts'

export const OK: Outcome = { ok: true, value: undefined }
export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
export const ended = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })
export const OVERTAKEN = fail(ended('signed out or signed in anew meanwhile'))
