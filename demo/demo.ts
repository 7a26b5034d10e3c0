import { fstatSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PROVIDER_USERS, startIdentityProvider } from './identity-provider.ts'
import { DEMO_CODES, type DemoAuthenticator } from './second-factor.ts'
import { startDemoService, TABLES_PATH } from './service.ts'
import { ANA, DEMO_USERS } from './users.ts'
import { variableLines } from './variables.ts'

const USAGE = `Usage: demo [--port PORT] [--token-lifetime SECONDS] [--grace SECONDS]

  --port            port of the service (default: a free one)
  --token-lifetime  lifetime of an access token, in seconds (default: 3600)
  --grace           how long a used refresh token still works, in seconds (default: 30)`

const PARENT_CHECK_MS = 1000

interface Settings {
  readonly port: number
  readonly tokenLifetime: number
  readonly grace: number
}

/** Throws an error with a message for the user. */
function readArguments(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, 'token-lifetime': { type: 'string' }, grace: { type: 'string' } },
  })
  const whole = (name: keyof typeof values, usual: number, least: number, most: number) => {
    const text = values[name]
    const number = text === undefined ? usual : Number(text)
    const fits = text !== '' && Number.isInteger(number) && number >= least && number <= most
    if (!fits) throw new Error(`--${name} must be a whole number from ${least} to ${most}.`)
    return number
  }
  return {
    port: whole('port', 0, 0, 65_535),
    tokenLifetime: whole('token-lifetime', 3600, 1, 31_536_000),
    grace: whole('grace', 30, 0, 86_400),
  }
}

async function run(args: readonly string[]): Promise<void> {
  const { port, tokenLifetime, grace } = readArguments(args)
  const elsewhere = PROVIDER_USERS.filter((each) => !DEMO_USERS.includes(each))
  const provider = await startIdentityProvider({ tokenLifetime, grace })
  const common = { tokenLifetime, grace, elsewhere, holderElsewhere: provider.holderOf }
  const service = await startDemoService({ port, ...common })
  const staging = await startDemoService(common)
  const { settings } = provider
  const factors = PROVIDER_USERS.flatMap(({ username, secondFactor }) =>
    secondFactor ? [`    ${username}: ${secondFactor.map(lineOf).join(', ') || 'nothing enrolled'}`] : [],
  )
  const others = PROVIDER_USERS.filter((each) => each.refusal).map((each) => `    ${each.username}: ${each.refusal}`)

  onceOver(async () => {
    await Promise.all([service.stop(), staging.stop(), provider.stop()])
    process.exit(0)
  })
  console.log(`Latchkey demo service, with invented users, on this computer only.

  Service address  ${service.address}
  Username         ${ANA.username}
  Password         ${ANA.password}

  A second service, with the same username and password, to try several connections:
    ${staging.address}

  Once ${ANA.name} (${ANA.username}) has signed in, this command reads her data:
    cli/latchkey header | curl -H @- ${service.address}${TABLES_PATH}

  For single sign-on, use the same username and password.
  These users have the same password, but get an error (single sign-on only):
${others.join('\n')}
  These users have a second factor (single sign-on only):
${factors.join('\n')}
  To use the browser for single sign-on: ${variableLines({ flow: 'browser' })} npm start

${variableLines({
  authUrl: provider.address,
  realm: settings.realm,
  providerDomain: settings.domain,
  scope: 'openid offline_access',
  audience: settings.audience,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
  userConnections: 'true',
  // Last, because `npm start` waits for this line.
  baseAddress: service.address,
})}`)
}

/** An authenticator's name, and the code that it accepts. */
const lineOf = (each: DemoAuthenticator): string =>
  each === 'push' ? 'push (approves itself)' : `${each} ${DEMO_CODES[each]}`

/** Calls `stop` on a signal, or when the parent process has ended. */
function onceOver(stop: () => void): void {
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  // A pipe or a terminal ends with the parent process. Others aren't watched: /dev/null, for example, ends at once.
  const stdin = fstatSync(0)
  if (process.stdin.isTTY || stdin.isFIFO() || stdin.isSocket()) {
    process.stdin.once('close', stop).resume()
  }
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref()
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  process.exitCode = 2
})
