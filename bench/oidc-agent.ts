import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSignedCertificate } from '../demo/certificate.ts'
import { demandPrograms, startDaemon } from '../test/keyring/programs.ts'
import { type Command, output } from './commands.ts'
import { type OidcProvider, startOidcProvider } from './oidc-provider.ts'

export interface OidcAgent {
  readonly provider: OidcProvider
  readonly socket: string
  /** `oidc-token`, with these options. */
  token(...options: readonly string[]): Command
  /** What `oidc-token` sends for a token of this validity in seconds; -1 forces a new one. */
  request(minValidity: number): string
  stop(): Promise<void>
}

const ACCOUNT = 'ana'
const DAY = 86_400

/** A private oidc-agent with an account at a provider of its own. Throws where it isn't installed. */
export async function startOidcAgent(folder: string, searchPath: string): Promise<OidcAgent> {
  demandPrograms({ 'oidc-agent': 'oidc-agent-cli', 'oidc-gen': 'oidc-agent-cli', setpriv: 'util-linux' })
  const inside = (name: string) => path.join(folder, name)
  const tls = selfSignedCertificate()
  const certificate = inside('provider.pem')
  writeFileSync(certificate, tls.cert)
  mkdirSync(inside('oidc'), { mode: 0o700 })
  const socket = inside('oidc-agent.sock')
  const env = { PATH: searchPath, HOME: folder, OIDC_CONFIG_DIR: inside('oidc'), OIDC_SOCK: socket }
  const provider = await startOidcProvider({ tls, tokenLifetime: DAY })
  const daemon = startDaemon('oidc-agent', ['--console', '--socket-path', socket], { env })
  const stop = async () => {
    await daemon.stop()
    await provider.stop()
  }
  const account: Command = {
    words: [
      ...['oidc-gen', ACCOUNT, '--manual', '--no-save', '--confirm-default', '--prompt=none', '--pw-env'],
      ...['--flow=refresh', '--rt-env', '--scope=openid offline_access', `--cp=${certificate}`],
      ...[`--issuer=${provider.address}/`, '--client-id=bench', '--client-secret=bench'],
    ],
    env: { ...env, OIDC_ENCRYPTION_PW: 'only for the benchmark', OIDC_REFRESH_TOKEN: provider.firstRefreshToken },
  }
  try {
    // It says nothing when it listens.
    for (let tries = 100; !existsSync(socket); tries--) {
      if (tries === 0) throw new Error(`oidc-agent did not start: ${daemon.said()}`)
      await sleep(20)
    }
    await output(account)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    provider,
    socket,
    token: (...options) => ({ words: ['oidc-token', ...options, ACCOUNT], env }),
    request: (minValidity) =>
      JSON.stringify({
        request: 'access_token',
        account: ACCOUNT,
        min_valid_period: minValidity,
        application_hint: 'bench',
      }),
    stop,
  }
}
