import { PROVIDER_USERS, startIdentityProvider } from './identity-provider.ts'
import { DEMO_CODES, type DemoAuthenticator } from './second-factor.ts'
import { startDemoService, TABLES_PATH } from './service.ts'
import { ANA, DEMO_USERS } from './users.ts'

const PARENT_CHECK_MS = 1000

const otherUsers = PROVIDER_USERS.filter((each) => !DEMO_USERS.includes(each))
const provider = await startIdentityProvider()
const common = { otherUsers, holderAtProvider: (token: string) => provider.holderOf(token) }
const service = await startDemoService(common)
const staging = await startDemoService(common)
const { settings } = provider

const lineOf = (each: DemoAuthenticator): string =>
  each === 'push' ? 'push (approves itself)' : `${each} ${DEMO_CODES[each]}`
const factors = PROVIDER_USERS.flatMap(({ username, secondFactor }) =>
  secondFactor ? [`    ${username}: ${secondFactor.map(lineOf).join(', ') || 'nothing enrolled'}`] : [],
)

const stop = async () => {
  await Promise.all([service.stop(), staging.stop(), provider.stop()])
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
const parent = process.ppid
setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref()

// The last line is the service's address, because `npm start` waits for it.
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
  To use the browser for single sign-on: LATCHKEY_SSO_FLOW=browser npm start

LATCHKEY_AUTH_URL=${provider.address}
LATCHKEY_SSO_REALM=${settings.realm}
LATCHKEY_SSO_PROVIDER_DOMAIN=${settings.domain}
LATCHKEY_SSO_SCOPE=openid offline_access
LATCHKEY_SSO_AUDIENCE=${settings.audience}
LATCHKEY_SSO_CLIENT_ID=${settings.clientId}
LATCHKEY_SSO_CLIENT_SECRET=${settings.clientSecret}
LATCHKEY_USER_CONNECTIONS=true
LATCHKEY_BASE_URL=${service.address}`)
