/** The page's narrow API: no call returns a token, and none gives the page free use of the network or of files. */
import * as v from 'valibot'
import { answerInput, challengeId } from './challenges.ts'
import { CONNECTION_NAME, isNewConnectionName } from './connection-names.ts'
import type { Outcome } from './failures.ts'
import { GRANTS, signInInput } from './grants.ts'
import { inputSchema } from './input-fields.ts'
import { LONGEST_VALUE } from './setting-rows.ts'
import { SETTING_FIELDS, type SettingField, USER_SWITCHES } from './settings.ts'
import type { AppView } from './views.ts'

const basicUsername = inputSchema({ kind: 'text', maxLength: 512, sentAs: 'basicUsername' })
const basicPassword = inputSchema({ kind: 'password', maxLength: 4096, sentAs: 'basicPassword' })

/** A password that Basic credentials can't carry can't be the current one, so the cause is `currentPassword`. */
const currentPassword = v.pipe(
  v.string(),
  v.check((value) => v.is(basicPassword, value), 'currentPassword'),
)

const proxyCredentials = v.strictObject({
  /** The proxy's address, exactly as in the failure that asks for its credentials. */
  proxy: v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(300, 'tooLong')),
  username: basicUsername,
  password: inputSchema({ kind: 'password', maxLength: 1024, sentAs: 'basicPassword' }),
})

const connectionName = v.pipe(v.string(), v.regex(CONNECTION_NAME, 'notAName'))
const newConnectionName = v.pipe(v.string(), v.check(isNewConnectionName, 'notAName'))

/** A value as the user typed it. The main process has a parser for each kind of value. */
const settingText = v.pipe(v.string(), v.maxLength(LONGEST_VALUE, 'tooLong'))
const setting = v.optional(settingText)

const tryAddress = v.optional(v.boolean())

/** A setting that is left out stays unchanged; an empty value removes the user's value. */
const settingsInput = v.strictObject(
  Object.fromEntries(SETTING_FIELDS.map((field) => [field, setting])) as {
    readonly [F in SettingField]: typeof setting
  },
)

/** Refuses arrays, which valibot's object schemas accept as objects without keys. */
const record = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.unknown(),
    v.check((input) => !Array.isArray(input), 'array'),
    schema,
  )

/** Each call's name, and the schema of its argument. `Handlers` requires a handler for each. */
export const calls = {
  /**
   * Saves all values or none; `invalidInput` names what is wrong with each. The user confirms changed addresses in a
   * dialog that the page doesn't control (else `notConfirmed`), except for a new installation's first connection. With
   * `tryAddress`, a server must answer at a new address of the service, or the call fails as `connect` does.
   */
  saveSettings: record(v.strictObject({ ...settingsInput.entries, tryAddress })),
  /**
   * Saves the service's address for a connection that has none. In a new installation, a server must answer there,
   * unless `anyway` is true; the failure is `unreachable` (cause `ENOTFOUND` if there is no such host),
   * `untrustedCertificate` or `proxyAuthenticationRequired`. Later, the user confirms, as in `saveSettings`.
   */
  connect: record(v.strictObject({ baseAddress: settingText, anyway: v.boolean() })),
  checkSettings: record(settingsInput),
  /** Selects the connection that the window shows and that its calls apply to. */
  showConnection: record(v.strictObject({ name: connectionName })),
  /** Asks and tries as `saveSettings` does. Fails with `invalidInput` if another connection has the name or address. */
  addConnection: record(
    v.strictObject({
      name: newConnectionName,
      baseAddress: settingText,
      tryAddress,
    }),
  ),
  /** Signs out of a connection that the user added, and removes it. Fails while the token can't be revoked. */
  removeConnection: record(v.strictObject({ name: connectionName })),
  /** Resolves when the sign-in has ended or a challenge is open. The view shows which of the two happened. */
  signIn: record(signInInput(Object.values(GRANTS))),
  /** Answers the open challenge. Resolves as `signIn` does. */
  answerChallenge: record(answerInput),
  /** Returns the new recovery code. SECURITY: no other call returns a secret, and no view contains one. */
  showRecoveryCode: record(v.strictObject({ challenge: challengeId })),
  reopenBrowser: record(v.strictObject({ challenge: challengeId })),
  /** Cancels the sign-in under way. An earlier session continues. */
  cancelSignIn: v.undefined(),
  /** Fails with `rejected` if the current password is wrong. Basic credentials must be able to carry the new one. */
  changePassword: record(v.strictObject({ currentPassword, password: basicPassword })),
  /** Tries again to read the session from the keychain. If that fails, the call fails with `keychainUnavailable`. */
  lookAgain: v.undefined(),
  signOut: v.undefined(),
  refreshNow: v.undefined(),
  /** Copies the token to the clipboard, and clears the clipboard after a minute if the token is still there. */
  copyToken: v.undefined(),
  /** Copies the new password, for at most five minutes. SECURITY: the page never gets the password. */
  newGatewayPassword: v.undefined(),
  /** Fails with `invalidInput` (cause `managed`), `notConfigured` if this system lacks it, or `settingsUnwritable`. */
  setSwitch: record(v.strictObject({ name: v.picklist(USER_SWITCHES), enabled: v.boolean() })),
  /** Lets each connection retry at once. Fails with `invalidInput` if this proxy hasn't asked for credentials. */
  saveProxyCredentials: record(proxyCredentials),
  /**
   * Resolves after the last result. With `tried`, the checks include the last address that the user tried to save, if
   * no server answered there; without it, Latchkey forgets that address.
   */
  checkComputer: record(v.strictObject({ tried: v.boolean() })),
  /** Restarts Latchkey to install the new version; the session is kept. Fails with `invalidInput` during a sign-in. */
  restartToUpdate: v.undefined(),
  /** Asks the user for a file and writes the diagnostics to it, without secrets. */
  saveDiagnostics: v.undefined(),
  showDiagnostics: v.undefined(),
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = v.InferOutput<(typeof calls)[N]>

interface CallResults {
  readonly showRecoveryCode: string
}
export type CallResult<N extends CallName> = N extends keyof CallResults ? CallResults[N] : undefined

export type Handlers = {
  readonly [N in CallName]: (input: CallInput<N>) => Promise<Outcome<CallResult<N>>>
}

export type LatchkeyApi = {
  readonly [N in CallName]: CallInput<N> extends undefined
    ? () => Promise<Outcome<CallResult<N>>>
    : (input: CallInput<N>) => Promise<Outcome<CallResult<N>>>
} & {
  /** Calls the listener with the whole view now and after every change. Returns a function that stops this. */
  readonly onView: (listener: (view: AppView) => void) => () => void
}
