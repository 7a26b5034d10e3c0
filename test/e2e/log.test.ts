/** The log of a whole run has every event and no private data. */
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call } from '../support/calls.ts'
import { renew } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { evidence, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { openSignedIn, openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
const SECRET = 'ginger-otter-4711'
const WRONG = 'noisy harbour lamp'
const NEW = 'quiet meadow train 42'

const folderOf = ({ dataFolder }: TestDesktop) => path.join(dataFolder, 'logs')
const logOf = (desk: TestDesktop): string =>
  readdirSync(folderOf(desk))
    .map((name) => readFileSync(path.join(folderOf(desk), name), 'utf8'))
    .join('')

it('the log of a whole run has each event, but no secret, and no name of a person or tool', async () => {
  const desk = await openTestDesktop()
  const provider = await startIdentityProvider({ clientSecret: SECRET })
  onTestFinished(() => provider.stop())
  const { address: authUrl, settings } = provider
  const app = await desk.start({
    env: {
      LATCHKEY_AUTH_URL: authUrl,
      LATCHKEY_SSO_REALM: settings.realm,
      LATCHKEY_SSO_PROVIDER_DOMAIN: settings.domain,
      LATCHKEY_SSO_SCOPE: 'openid offline_access',
      LATCHKEY_SSO_AUDIENCE: settings.audience,
      LATCHKEY_SSO_CLIENT_ID: settings.clientId,
      LATCHKEY_SSO_CLIENT_SECRET: SECRET,
    },
  })
  const window = await app.open()
  const { page } = window
  const asPassword = () => page.getByRole('radio', { name: texts.signIn.methods.password, exact: true }).check()

  await asPassword()
  await window.trySignIn({ username: ANA.username, password: WRONG })
  await window.alert.waitFor()
  await window.signIn(ANA)
  for (let times = 0; times < 2; times++) await renew(desk, window)
  const headers = { 'User-Agent': 'secret-notebook/1', Accept: 'text/plain' }
  const asking = get({ socketPath: path.join(desk.dataFolder, 'agent.sock'), path: '/v1/token', headers })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  await eventually(() => logOf(desk)).toContain('agent.used')
  await expect(call(page, 'changePassword', { currentPassword: ANA.password, password: NEW })).resolves.toMatchObject({
    ok: true,
  })
  await window.signOut()

  await page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).check()
  await window.signIn(ANA)
  await window.signOut()
  await app.quit()

  const log = logOf(desk)
  for (const event of [
    /info {2}app\.started version=\S+ electron=\S+ platform=linux$/m,
    /info {2}keychain\.opened kind=unlocked$/m,
    /info {2}agent\.started$/m,
    /info {2}agent\.used$/m,
    /info {2}agent\.stopped$/m,
    /warn {2}call\.failed call=signIn code=rejected operation=login host=127\.0\.0\.1:\d+ status=401$/m,
    /info {2}session\.state from=signingIn to=active method=password$/m,
    /info {2}session\.state from=signingIn to=active method=passwordRealm$/m,
    /info {2}session\.kept kept=keychain$/m,
    /info {2}session\.refreshed lifetime=\d+$/m,
    /info {2}session\.revocation revocation=done$/m,
    /info {2}app\.stopped$/m,
  ]) {
    expect(log).toMatch(event)
  }
  expect(log.match(/agent\.used/g)).toHaveLength(1)
  expect(log).not.toContain(' bug ')
  for (const line of log.trimEnd().split('\n')) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z (info|warn|error) +\w+/)

  const secrets = [
    ...tokensAsSecrets([...desk.service.issuedSecrets(), ...provider.issuedSecrets()]),
    { name: 'client secret', value: SECRET },
    { name: 'password', value: ANA.password },
    { name: 'wrong password', value: WRONG },
    { name: 'new password', value: NEW },
    { name: 'username', value: ANA.username },
    { name: 'name', value: ANA.name },
    { name: 'tool', value: 'notebook' },
  ]
  expect(findLeaks(secrets, [evidence('the log', log)])).toEqual([])
  expect(statSync(folderOf(desk)).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folderOf(desk))) {
    expect(statSync(path.join(folderOf(desk), name)).mode & 0o777).toBe(0o600)
  }
})

it('an uncaught error is logged without its message, and the session continues', async () => {
  const { desk, app, window } = await openSignedIn()
  await app.app.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('a token could be in here')
    })
    setTimeout(async () => Promise.reject(new RangeError('and in here')))
  })
  await eventually(() => logOf(desk)).toMatch(/bug.*TypeError.*bug.*RangeError/s)
  expect(logOf(desk)).not.toContain('in here')
  await window.choose('Renew now')
  await eventually(() => desk.count('refresh')).toBe(1)
  // `quit` rejects if the app printed errors. Here these are the two errors from above.
  await expect(app.quit()).rejects.toThrow(/uncaught: TypeError.*unhandled: RangeError/s)
})
