import type { Outcome } from '../../../contract/failures.ts'
import type { GrantName } from '../../../contract/grants.ts'
import { DeadlineClock } from '../../../main/base/clock.ts'
import type { Random } from '../../../main/base/retry.ts'
import { entryText, type Password, password } from '../../../main/base/secret.ts'
import { type EntryContent, entryName, readEntry, type StoredSession } from '../../../main/session/entry.ts'
import type { Grants } from '../../../main/session/grants/grant.ts'
import { createGrants } from '../../../main/session/grants/grants.ts'
import type { SecretStore } from '../../../main/session/ports.ts'
import { SessionEngine } from '../../../main/session/session-engine.ts'
import type { SessionState } from '../../../main/session/state.ts'
import { ManualTime, settle } from '../manual-time.ts'
import { type Answer, type Client, ModelService, type Operation } from './model-service.ts'
import { type KeychainMode, ModelMarker, ModelStore, type OpenStore } from './model-store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export const NAME = 'https://data.example'
export const PROVIDER = 'https://login.example'

const INSTALLATION = 'of-tests'
/** The entry of the first instance of the program. A second instance on the same desktop has another entry. */
export const ENTRY = entryName(NAME, INSTALLATION)

interface Program extends Client {
  readonly clock: DeadlineClock
  readonly session: SessionEngine
  readonly store: OpenStore
  readonly timers: () => number
  readonly kill: () => void
}

/** The number of the program that was started last. Services tell programs apart by their numbers. */
let starts = 0

/** A desktop with one instance of the program, which can be started, killed and started again. */
export class ModelDesktop {
  readonly time: ManualTime
  readonly service: ModelService
  readonly sso: ModelService
  readonly store: ModelStore
  readonly marker = new ModelMarker()
  readonly entryName: string
  readonly #installation: string
  random: Random = () => 0.5
  /** How far this instance's wall clock is ahead of the desktop's, in milliseconds. */
  clockOffset = 0
  hasProvider = true
  keychain: (store: SecretStore) => SecretStore = (store) => store
  grants: (grants: Grants) => Grants = (grants) => grants
  provider: string | undefined
  states: SessionState[] = []
  onState: (state: SessionState) => void = () => {}
  #program: Program | undefined

  /** The lengths of the sessions that the service ended. The list outlives the program, as the settings do. */
  readonly lengths: number[] = []

  /** With `other`, makes a second instance of the program on that desktop, with its own data folder. */
  constructor(other?: ModelDesktop) {
    this.time = other?.time ?? new ManualTime()
    const now = () => this.time.trueTime
    this.service = other?.service ?? new ModelService({ now })
    this.sso = other?.sso ?? new ModelService({ now }, { issuer: PROVIDER, countFrom: 1_000_000 })
    this.store = other?.store ?? new ModelStore()
    this.#installation = other === undefined ? INSTALLATION : 'of-second-instance'
    this.entryName = entryName(NAME, this.#installation)
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error('the program is not running')
    return this.#program
  }

  isRunning(id: number): boolean {
    return this.#program?.id === id
  }

  uses(store: OpenStore): boolean {
    return this.#program?.store === store
  }

  get session(): SessionEngine {
    return this.program.session
  }

  get clock(): DeadlineClock {
    return this.program.clock
  }

  get state(): SessionState {
    return this.session.state
  }

  get content(): EntryContent | undefined {
    const text = this.store.entries.get(this.entryName)
    const read = text === undefined ? undefined : readEntry(entryText(text))
    return read?.kind === 'entry' ? read.entry : undefined
  }

  get entry(): StoredSession | undefined {
    return this.content?.session
  }

  get pending(): readonly string[] {
    return (this.content?.revocations ?? []).map(({ refreshToken }) => refreshToken.reveal())
  }

  get mark(): string | undefined {
    return this.marker.get(this.entryName)
  }

  /** The state, whose sessions live at the service, and what the keychain has, such as `active (keychain), ana, ana`. */
  get summary(): string {
    const { state, service, store } = this
    const detail = 'kept' in state ? ` (${state.kept})` : 'revocation' in state ? ` (${state.revocation})` : ''
    const living = service.families.filter(({ isDead }) => !isDead).map(({ username }) => username)
    const stored = this.entry?.username ?? (store.entries.size === 0 ? 'nothing' : 'revocations')
    return `${state.kind}${detail}, ${living.join(' and ') || 'nobody'}, ${stored}`
  }

  async start(): Promise<void> {
    const source = this.time.process(this.clockOffset)
    const clock = new DeadlineClock(source)
    let isAlive = true
    const id = ++starts
    const client = { id, clock, isAlive: () => isAlive }
    const { issuer, login, refresh } = this.sso.client(client)
    const identityProvider = this.hasProvider ? { issuer: this.provider ?? issuer, login, refresh } : undefined
    const grants = createGrants({ service: this.service.client(client), identityProvider })
    const store = this.store.open(clock)
    const own = this.grants(grants)
    const session = new SessionEngine({
      address: NAME,
      installation: this.#installation,
      grants: own,
      removedGrant: ({ grant }) => own.get(grant),
      store: this.keychain(store),
      marker: {
        get: (name) => this.marker.get(name),
        set: (name, marker) => isAlive && this.marker.set(name, marker),
        clear: (name) => isAlive && this.marker.clear(name),
      },
      lengths: {
        lengthsAt: () => this.lengths,
        addLength: (_, length) => void this.lengths.push(length),
      },
      clock,
      random: () => this.random(),
    })
    const kill = () => {
      isAlive = false
      source.kill()
    }
    this.#program = { ...client, session, store, timers: source.pending, kill }
    this.states = []
    session.subscribe((state) => {
      if (!isAlive) return
      this.states.push(state)
      this.onState(state)
    })
    void session.start()
    await settle()
  }

  /** `kill -9` loses the responses to pending requests. With `appliesBegun`, a begun change still takes effect. */
  kill({ appliesBegun = false } = {}): void {
    this.#program?.kill()
    this.#program?.store.kill(appliesBegun)
    this.#program = undefined
  }

  async restart(): Promise<void> {
    this.kill()
    await settle()
    await this.start()
  }

  /** Sets the service's response to each operation, by default `reply`. With `undefined`, the test responds itself. */
  answer(answers: Partial<Record<Operation, Answer | undefined>>): void {
    this.service.answering = ({ operation }) => (operation in answers ? answers[operation] : 'reply')
  }

  reply(how: Answer = 'reply'): Promise<void> {
    this.service.pending[0]?.answer(how)
    return settle()
  }

  holdRefresh(): Promise<void> {
    this.answer({ refresh: undefined })
    void this.session.refresh()
    return settle()
  }

  pass(ms: number): Promise<void> {
    return this.time.passSettling(ms)
  }

  async sleep(ms: number): Promise<void> {
    this.time.sleep(ms)
    this.clock.check()
    this.session.wake()
    await settle()
  }

  async signIn(username = 'ana', grant: GrantName = 'password'): Promise<void> {
    const service = grant === 'passwordRealm' ? this.sso : this.service
    void this.session.signIn.begin(grant, { username, password: password(service.passwords.get(username) ?? 'wrong') })
    await settle()
  }

  changePassword(newPassword: Password, username = 'ana'): Promise<Outcome> {
    const currentPassword = password(this.service.passwords.get(username) ?? 'wrong')
    return this.session.changePassword({ currentPassword, newPassword })
  }
}

export async function startedDesktop(username?: string): Promise<ModelDesktop> {
  const desktop = new ModelDesktop()
  await desktop.start()
  if (username !== undefined) await desktop.signIn(username)
  return desktop
}

/** A desktop whose program was killed while ana was signed in, and started again with the keychain in this mode. */
export async function restartedDesktop(mode: KeychainMode): Promise<ModelDesktop> {
  const desktop = await startedDesktop('ana')
  desktop.kill()
  desktop.store.mode = mode
  await desktop.start()
  return desktop
}
