import type { CallInput, Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Subscribe } from '../base/listeners.ts'
import { password } from '../base/secret.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import { grantInput, RECOVERY_CODE_UNDER_WAY } from '../session/grants/grant.ts'
import type { ProbeAddress } from '../session/ports.ts'
import type { SessionEngine } from '../session/session-engine.ts'
import type { SignIn } from '../session/sign-in.ts'
import type { ConnectionSettings } from '../settings/connection-settings.ts'

type Manager = Pick<
  ConnectionManager,
  'view' | 'shown' | 'show' | 'add' | 'apply' | 'remove' | 'isSigningIn' | 'afterChange' | 'start' | 'stop'
>

type SessionCalls = Pick<SessionEngine, 'changePassword' | 'lookAgain' | 'signOut' | 'refresh'> & {
  readonly signIn: Pick<SignIn, 'begin' | 'answer' | 'recoveryCode' | 'reopen' | 'cancel' | 'holdsRecoveryCode'>
}

interface SessionsPorts {
  readonly connections: Manager & {
    /** `name`: by default the shown connection. */
    session(name?: string): SessionCalls | undefined
  }
  readonly keychain: { allowPrompts(): void }
  readonly clientSecrets: { prepared(): Promise<unknown> }
  readonly settings: { of(connection: string): Pick<ConnectionSettings, 'view' | 'check' | 'save'> }
  readonly probe: ProbeAddress
  readonly onPolicyChange: Subscribe
  readonly changed: () => void
}

type Shown = keyof Manager['view'] | 'settings'

const INVALID = fail({ code: 'invalidInput' })
const NOT_CONFIGURED = fail({ code: 'notConfigured' })

/** A call without a name is about the connection that is shown when the call arrives. */
export class Sessions {
  readonly #ports: SessionsPorts
  #pending = 0
  #undo: readonly (() => void)[] = []
  #opened: Promise<void> = Promise.resolve()

  constructor(ports: SessionsPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    saveSettings: (input) => this.#save(input),
    checkSettings: async (input) => {
      const { connections, settings } = this.#ports
      return settings.of(connections.shown).check(input)
    },
    showConnection: async ({ name }) => (this.#ports.connections.show(name) ? OK : INVALID),
    addConnection: ({ name, baseAddress, tryAddress }) =>
      this.#ports.connections.add(name, baseAddress, tryAddress ? this.#ports.probe : undefined),
    removeConnection: ({ name }) => this.#ports.connections.remove(name),
    signIn: (input) => this.#counted(this.#signIn(input)),
    answerChallenge: (input) => this.#counted(this.#answerChallenge(input)),
    showRecoveryCode: async ({ challenge }) => {
      const code = this.#session?.signIn.recoveryCode(challenge)
      return code === undefined ? INVALID : { ok: true, value: code }
    },
    reopenBrowser: async ({ challenge }) => this.#session?.signIn.reopen(challenge) ?? NOT_CONFIGURED,
    cancelSignIn: async () => {
      this.#session?.signIn.cancel()
      return OK
    },
    changePassword: (input) => this.#counted(this.#changePassword(input)),
    lookAgain: async () => {
      this.#ports.keychain.allowPrompts()
      return this.#session?.lookAgain() ?? NOT_CONFIGURED
    },
    signOut: async () => this.#session?.signOut() ?? NOT_CONFIGURED,
    refreshNow: async () => this.#session?.refresh() ?? NOT_CONFIGURED,
  } satisfies Partial<Handlers>

  view(): Pick<AppView, Shown> {
    const { connections, settings } = this.#ports
    const { view } = connections
    return { ...view, settings: settings.of(view.shown).view }
  }

  start(): Promise<void> {
    const { connections, onPolicyChange, changed } = this.#ports
    // A change of a connection can also affect the view's lists of tools and last sign-ins, so a new view is announced.
    this.#undo = [connections.afterChange(changed), onPolicyChange(() => void connections.start())]
    this.#opened = connections.start()
    return this.#opened
  }

  async stop(): Promise<void> {
    const { connections, clientSecrets } = this.#ports
    for (const undo of this.#undo) undo()
    // A native keychain call that returns while the process is ending would abort the process.
    await Promise.all([connections.stop(), clientSecrets.prepared()])
  }

  opened(): Promise<void> {
    return this.#opened
  }

  get isBusy(): boolean {
    return this.#pending > 0 || this.#ports.connections.isSigningIn
  }

  show(name: string): void {
    this.#ports.connections.show(name)
  }

  refreshNow(name?: string): void {
    void this.#ports.connections.session(name)?.refresh()
  }

  signOut(name?: string): void {
    void this.#ports.connections.session(name)?.signOut()
  }

  get #session(): SessionCalls | undefined {
    return this.#ports.connections.session()
  }

  async #save({ tryAddress, ...input }: CallInput<'saveSettings'>): Promise<Outcome> {
    const { connections, settings, keychain } = this.#ports
    const { shown } = connections
    // Another address or provider would end the sign-in, and a new recovery code would be lost.
    if (connections.session(shown)?.signIn.holdsRecoveryCode) return RECOVERY_CODE_UNDER_WAY
    keychain.allowPrompts()
    const outcome = await settings.of(shown).save(input, tryAddress ? this.#ports.probe : undefined)
    // The user's next action must already use the changed settings.
    if (outcome.ok) await connections.apply(shown)
    return outcome
  }

  async #signIn({ grant, ...values }: CallInput<'signIn'>): Promise<Outcome> {
    this.#ports.keychain.allowPrompts()
    return this.#session?.signIn.begin(grant, grantInput(values)) ?? NOT_CONFIGURED
  }

  async #answerChallenge({ challenge, kind, ...values }: CallInput<'answerChallenge'>): Promise<Outcome> {
    this.#ports.keychain.allowPrompts()
    return this.#session?.signIn.answer(challenge, kind, grantInput(values)) ?? NOT_CONFIGURED
  }

  async #changePassword(input: CallInput<'changePassword'>): Promise<Outcome> {
    const currentPassword = password(input.currentPassword)
    const newPassword = password(input.password)
    return this.#session?.changePassword({ currentPassword, newPassword }) ?? NOT_CONFIGURED
  }

  async #counted(outcome: Promise<Outcome>): Promise<Outcome> {
    this.#pending += 1
    try {
      return await outcome
    } finally {
      this.#pending -= 1
    }
  }
}
