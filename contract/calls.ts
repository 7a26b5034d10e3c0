/**
 * The narrow API between the window and the main process: every call and the parser of its argument. No call returns a
 * token, and there is no general call to read files, write files or send requests.
 */
import * as v from 'valibot'
import { answerInput, challengeId } from './challenges.ts'
import { CONNECTION_NAME, isNewConnectionName } from './connection-names.ts'
import type { Outcome } from './failures.ts'
import { GRANTS, signInInput } from './grants.ts'
import { inputSchema } from './input-fields.ts'
import { LONGEST_VALUE } from './setting-rows.ts'
import { SETTING_FIELDS, type SettingField, USER_SWITCHES } from './settings.ts'
import type { AppView } from './views.ts'

/** Only usernames that Basic credentials can carry. */
const basicUsername = inputSchema({ kind: 'text', maxLength: 512, sentAs: 'basicUsername' })
const basicPassword = inputSchema({ kind: 'password', maxLength: 4096, sentAs: 'basicPassword' })

/**
 * The current password. A password that Basic credentials can't carry is certainly wrong, so the failure's cause
 * is `currentPassword`.
 */
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

/** A value as the user typed it. The main process checks it with the parser of its kind. */
const settingText = v.pipe(v.string(), v.maxLength(LONGEST_VALUE, 'tooLong'))
const setting = v.optional(settingText)

const tryAddress = v.optional(v.boolean())

/** A setting that is left out stays unchanged; an empty value removes the user's value. */
export const settingsInput = v.strictObject(
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

/** Every call: its name and the schema of its argument. `Handlers` requires a handler for each call. */
export const calls = {
  /**
   * Saves all values or none; if some are invalid, fails with `invalidInput`, which names what is wrong with each. If
   * the service's address changes, the window shows the session of the new one. The user confirms each changed address
   * in a dialog that the page doesn't control, or the call fails with `notConfirmed`; only the first connection of a
   * new installation needs no confirmation. With `tryAddress`, a new address of the service is saved only if a server
   * answers there, and otherwise the call fails as `connect` does.
   */
  saveSettings: record(v.strictObject({ ...settingsInput.entries, tryAddress })),
  /**
   * Saves the address of the shown connection's service, unless it already has one (`invalidInput`). In a new
   * installation, the address is saved only if a server answers there; otherwise the call fails with `unreachable`
   * (cause `ENOTFOUND` if there is no such host), `untrustedCertificate` or `proxyAuthenticationRequired`. With
   * `anyway`, nothing is asked. If the installation has had a service before, nothing is sent either: the user confirms
   * the address as in `saveSettings`.
   */
  connect: record(v.strictObject({ baseAddress: settingText, anyway: v.boolean() })),
  /** As `saveSettings`, but changes nothing. */
  checkSettings: record(settingsInput),
  /** Selects the connection that the window shows and that its calls apply to. */
  showConnection: record(v.strictObject({ name: connectionName })),
  /**
   * Adds a connection and shows it, unless another has this name or address (`invalidInput`). The user confirms the
   * address, and `tryAddress` tries it, as in `saveSettings`.
   */
  addConnection: record(
    v.strictObject({
      name: newConnectionName,
      baseAddress: settingText,
      tryAddress,
    }),
  ),
  /** Signs out of a connection that the user added, and removes it, unless the token can't be revoked yet. */
  removeConnection: record(v.strictObject({ name: connectionName })),
  /** Resolves when the sign-in has ended, or when a challenge is open. The view shows which of the two happened. */
  signIn: record(signInInput(Object.values(GRANTS))),
  /** Answers the open challenge of a sign-in. Resolves as `signIn` does. */
  answerChallenge: record(answerInput),
  /**
   * Returns the recovery code that replaces the used one, while the challenge that shows it is open. SECURITY: the only
   * call that returns a secret; no view contains it.
   */
  showRecoveryCode: record(v.strictObject({ challenge: challengeId })),
  /** Opens the provider's page in the browser again, while its challenge is open. */
  reopenBrowser: record(v.strictObject({ challenge: challengeId })),
  /** Cancels the sign-in under way. A session that existed before the sign-in continues. */
  cancelSignIn: v.undefined(),
  /**
   * Checks the current password with a login (`rejected` if it is wrong), then changes it. The service decides about
   * the new one, unless that can't be sent at all.
   */
  changePassword: record(v.strictObject({ currentPassword, password: basicPassword })),
  /**
   * Looks for the session in the keychain again. Fails with `keychainUnavailable` if the keychain still can't be read.
   */
  lookAgain: v.undefined(),
  signOut: v.undefined(),
  refreshNow: v.undefined(),
  /** Copies the token to the clipboard. After a minute, clears the clipboard if the token is still on it. */
  copyToken: v.undefined(),
  /**
   * Makes a new password for the gateway of the shown connection, and copies it. Tools with the old one are refused from
   * then on. After five minutes, clears the clipboard if the password is still on it. SECURITY: the page never gets it.
   */
  newGatewayPassword: v.undefined(),
  /**
   * Turns a switch on or off, and resolves when that has taken effect. Fails with `invalidInput` (cause `managed`) if
   * the policy or the environment sets the switch, with `notConfigured` if the switch isn't available on this system,
   * and with `settingsUnwritable` if the choice can't be stored.
   */
  setSwitch: record(v.strictObject({ name: v.picklist(USER_SWITCHES), enabled: v.boolean() })),
  /**
   * Stores credentials for a proxy that asks for them, and retries what failed there. Those for any other proxy are
   * refused (`invalidInput`).
   */
  saveProxyCredentials: record(proxyCredentials),
  /**
   * Runs the diagnostics checks. The view shows each result as it arrives. Resolves after the last result. With `tried`,
   * also checks the address that the user tried to save last, if it didn't answer; without, forgets it.
   */
  checkComputer: record(v.strictObject({ tried: v.boolean() })),
  /**
   * Restarts Latchkey to install the new version. The call is refused during a sign-in (`invalidInput`). The session is
   * kept.
   */
  restartToUpdate: v.undefined(),
  /** Asks the user for a file, and writes the diagnostics to it, without secrets. */
  saveDiagnostics: v.undefined(),
  /** Shows the saved diagnostics in the system's file manager. Does nothing if none were saved. */
  showDiagnostics: v.undefined(),
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = v.InferOutput<(typeof calls)[N]>

/** The results of the calls that return a value. */
interface CallResults {
  readonly showRecoveryCode: string
}
export type CallResult<N extends CallName> = N extends keyof CallResults ? CallResults[N] : undefined

/** The handlers in the main process. */
export type Handlers = {
  readonly [N in CallName]: (input: CallInput<N>) => Promise<Outcome<CallResult<N>>>
}

/** The type of `window.latchkey` in the renderer. */
export type LatchkeyApi = {
  readonly [N in CallName]: CallInput<N> extends undefined
    ? () => Promise<Outcome<CallResult<N>>>
    : (input: CallInput<N>) => Promise<Outcome<CallResult<N>>>
} & {
  /**
   * Calls the listener with the whole view immediately and after every change; returns a function that ends the calls.
   */
  readonly onView: (listener: (view: AppView) => void) => () => void
}
