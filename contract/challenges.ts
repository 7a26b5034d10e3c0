import * as v from 'valibot'
import type { IssuerKind } from './grants.ts'
import { type InputField, type InputValues, inputEntries } from './input-fields.ts'

export type AuthenticatorKind = 'app' | 'textMessage' | 'phoneCall' | 'email' | 'push' | 'recoveryCode'

export interface Authenticator {
  readonly id: string
  readonly kind: AuthenticatorKind
  /** What the provider calls the authenticator, as plain text: the end of a phone number, for example. */
  readonly label?: string
}

export type ChallengeDescription =
  | {
      readonly kind: 'choose'
      readonly options: readonly Authenticator[]
      readonly usual?: string
    }
  | { readonly kind: 'code'; readonly authenticator: Authenticator }
  /** The user approves the sign-in elsewhere, such as on the phone. `answerChallenge` waits for that. */
  | { readonly kind: 'approval'; readonly authenticator: Authenticator }
  | { readonly kind: 'recoveryCode'; readonly authenticator: Authenticator }
  /** There is a new recovery code (see `showRecoveryCode`). The answer confirms that the user has saved it. */
  | { readonly kind: 'newRecoveryCode' }
  /** `answerChallenge` waits until the user has finished. `consent`: the provider now asks for consent. */
  | { readonly kind: 'browser'; readonly consent?: true }

export type ChallengeKind = ChallengeDescription['kind']

export type ChallengeView = ChallengeDescription & {
  readonly id: string
  readonly issuer: IssuerKind
}

const CODE = { name: 'code', kind: 'oneTimeCode', autocomplete: 'one-time-code', maxLength: 64 } as const
const RECOVERY_CODE = { name: 'recoveryCode', kind: 'oneTimeCode', autocomplete: 'off', maxLength: 256 } as const

/** The fields of each answer. If there are several options, the answer also names the chosen one. */
export const ANSWERS = {
  choose: { fields: [], choice: true },
  code: { fields: [{ ...CODE, sentAs: 'json' }], choice: false },
  approval: { fields: [], choice: false },
  recoveryCode: { fields: [{ ...RECOVERY_CODE, sentAs: 'json' }], choice: false },
  newRecoveryCode: { fields: [], choice: false },
  browser: { fields: [], choice: false },
} as const satisfies {
  readonly [K in ChallengeKind]: { readonly fields: readonly InputField[]; readonly choice: boolean }
}

export type AnswerInput = InputValues & {
  readonly kind: ChallengeKind
  readonly challenge: string
  readonly option?: string
}

export const challengeId = v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(256, 'tooLong'))

export const answerInput: v.GenericSchema<unknown, AnswerInput> = v.variant(
  'kind',
  (Object.keys(ANSWERS) as ChallengeKind[]).map((kind) => {
    const { fields, choice } = ANSWERS[kind]
    const option: v.ObjectEntries = choice ? { option: challengeId } : {}
    return v.strictObject({ kind: v.literal(kind), challenge: challengeId, ...option, ...inputEntries(fields) })
  }),
)
