import { PROVIDER_USERS, startIdentityProvider } from './identity-provider.ts'
import { DEMO_CODES, type DemoAuthenticator } from './second-factor.ts'
import { startDemoService, TABLES_PATH } from './service.ts'
import { ANA, DEMO_USERS } from './users.ts'
import { variableLines } from './variables.ts'

const PARENT_CHECK_MS = 1000

async function run(): Promise<void> {
  const otherUsers = PROVIDER_USERS.filter((each) => !DEMO_USERS.includes(each))
  const provider = await startIdentityProvider()
  const common = { otherUsers, holderAtProvider: provider.holderOf }
  const service = await startDemoService(common)
  const staging = await startDemoService(common)
  const { settings } = provider
  const factors = PROVIDER_USERS.flatMap(({ username, secondFactor }) =>
    secondFactor ? [`    ${username}: ${secondFactor.map(lineOf).join(', ') || 'nothing enrolled'}`] : [],
  )

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
  These users have the same password, and a second factor (single sign-on only):
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
  // This line is printed last, because `npm start` waits for it.
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
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref()
}

await run()
