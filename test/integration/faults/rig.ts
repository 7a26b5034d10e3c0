/** A fake service, keychain and clock; everything else is real, over TLS on 127.0.0.1. */
import { setImmediate as turn } from 'node:timers/promises'
import type { GrantName } from '../../../contract/grants.ts'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../demo/identity-provider.ts'
import { type DemoService, startDemoService } from '../../../demo/service.ts'
import { ANA } from '../../../demo/users.ts'
import { password, Secret } from '../../../main/base/secret.ts'
import { MemoryStore } from '../../../main/keychain/fallback-store.ts'
import { type EntryContent, entryName, readEntry } from '../../../main/session/entry.ts'
import type { GrantInput } from '../../../main/session/grants/grant.ts'
import type { Marker } from '../../../main/session/ports.ts'
import { expectWithout } from '../../support/local-servers.ts'
import { ManualTime } from '../../support/manual-time.ts'
import { AppInstance, type Connectivity } from './app-instance.ts'
import { type OddServer, silentListener } from './odd-servers.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/**
 * The age at which a token that lives for an hour is refreshed. That is 18 minutes before its end: 12 are a fifth of
 * its lifetime, and 6 come from the random value, which is fixed here.
 */
export const REFRESH_DUE = 42 * MINUTE

export const CREDENTIALS = { username: ANA.username, password: password(ANA.password) }
const NEW_PASSWORD = password('a brand new passphrase')
export const PASSWORDS = { currentPassword: CREDENTIALS.password, newPassword: NEW_PASSWORD }

/** The service's name in keychain entries, whatever route an instance uses. */
const NAME = 'https://data.example'
const INSTALLATION = 'first'

export class Rig {
  readonly time: ManualTime
  readonly service: DemoService
  readonly provider: IdentityProvider
  readonly #keychain = new MemoryStore()
  /** The route without a fault. */
  readonly connectivity: Connectivity
  /** The server to which redirects lead. */
  readonly elsewhere: OddServer
  readonly #marks = new Map<string, Marker>()
  /** True if the settings can't be written. */
  isDiskFull = false
  readonly #instances: AppInstance[] = []
  readonly #oddServers: OddServer[] = []

  static async start(): Promise<Rig> {
    const time = new ManualTime()
    const start = time.wall()
    const tls = selfSignedCertificate()
    const options = { tls, now: () => start + time.trueTime }
    const service = await startDemoService(options)
    const provider = await startIdentityProvider(options)
    return new Rig(time, service, provider, tls.cert, await silentListener())
  }

  private constructor(
    time: ManualTime,
    service: DemoService,
    provider: IdentityProvider,
    certificate: string,
    elsewhere: OddServer,
  ) {
    this.time = time
    this.service = service
    this.provider = provider
    this.elsewhere = this.meets(elsewhere)
    this.connectivity = {
      baseAddress: service.address,
      authAddress: provider.address,
      trusted: async () => [certificate],
    }
  }

  /** Starts an instance of the app. */
  async startInstance(): Promise<AppInstance> {
    const { domain: providerDomain, realm, audience, clientId, clientSecret } = this.provider.settings
    const instance = new AppInstance({
      address: NAME,
      installation: INSTALLATION,
      store: {
        persistence: 'keychain',
        read: (name) => this.#keychain.read(name),
        write: (name, value) => this.#keychain.write(name, value),
        delete: (name) => this.#keychain.delete(name),
      },
      marker: {
        get: (name) => this.#marks.get(name),
        set: (name, mark) => !this.isDiskFull && this.#marks.set(name, mark) === this.#marks,
        clear: (name) => !this.isDiskFull && (this.#marks.delete(name) || true),
      },
      time: this.time,
      provider: {
        providerDomain,
        realm,
        audience,
        clientId,
        clientSecret: new Secret('client secret', clientSecret),
        scope: 'openid offline_access',
      },
      connectivity: this.connectivity,
    })
    this.#instances.push(instance)
    void instance.session.start()
    await this.rest()
    return instance
  }

  async signedIn(grant: GrantName = 'password'): Promise<AppInstance> {
    const instance = await this.startInstance()
    await instance.session.signIn.begin(grant, CREDENTIALS)
    return instance
  }

  /** Starts an instance that has made the first of a sign-in's two steps. The second factor or the browser is next. */
  async asked(grant: GrantName, input: GrantInput): Promise<AppInstance> {
    const instance = await this.startInstance()
    await instance.session.signIn.begin(grant, input)
    // A provider asks for a second factor with an error, which the instance records. This error is expected, so it is
    // removed.
    instance.failures.length = 0
    return instance
  }

  /** Resolves once the instances do nothing more until the clock moves, or until the test releases a call. */
  async rest(): Promise<void> {
    for (let calm = 0; calm < 4; calm++) {
      await turn()
      if (this.#instances.some((instance) => instance.isBusy)) calm = -1
    }
  }

  async pass(ms: number): Promise<void> {
    await this.rest()
    await this.time.passSettling(ms, () => this.rest())
  }

  /** Ends all faults, and gives the instance a route without faults. */
  heals(instance: AppInstance): void {
    this.service.clearFaults()
    this.provider.clearFaults()
    this.isDiskFull = false
    instance.connectivity = this.connectivity
  }

  /** Adds a server, which stops with the rig. */
  meets(oddServer: OddServer): OddServer {
    this.#oddServers.push(oddServer)
    return oddServer
  }

  /** What the odd servers received, except CONNECT requests that tell nothing but the target's address. */
  get overheard(): readonly string[] {
    const connect = /^CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1\r\n(?:(?:Host|(?:Proxy-)?Connection): .+\r\n)*\r\n$/i
    return this.#oddServers.flatMap(({ heard }) => heard).filter((text) => !connect.test(text))
  }

  /** The session's entry in the keychain. */
  get entry(): EntryContent | undefined {
    const text = this.#keychain.held.get(entryName(NAME, INSTALLATION))
    const read = text && readEntry(text)
    return read?.kind === 'entry' ? read.entry : undefined
  }

  /** The refresh token of the session in the keychain. */
  get stored(): string | undefined {
    return this.entry?.session?.refreshToken.reveal()
  }

  get pending(): readonly string[] {
    return (this.entry?.revocations ?? []).map(({ refreshToken }) => refreshToken.reveal())
  }

  /** Fails if the text contains a secret of this rig. */
  expectNoSecret(value: unknown): void {
    const { clientSecret } = this.provider.settings
    const typed = [CREDENTIALS.password.reveal(), NEW_PASSWORD.reveal(), clientSecret]
    const basic = typed.map((each) => `${CREDENTIALS.username}:${each}`)
    expectWithout(value, [...typed, ...basic, ...this.service.issuedSecrets(), ...this.provider.issuedSecrets()])
  }

  async stop(): Promise<void> {
    for (const instance of this.#instances) {
      instance.hold = () => undefined
      this.heals(instance)
    }
    await Promise.all(this.#instances.map(({ session }) => session.stop()))
    for (const oddServer of this.#oddServers) oddServer.stop()
    await Promise.all([this.service.stop(), this.provider.stop()])
  }
}
