/** How long the session lasts, and how it ends, on the command line. */
import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call } from '../support/calls.ts'
import { latchkey } from '../support/latchkey-command.ts'
import { ssoVariables } from '../support/sso-variables.ts'
import { openSignedIn, openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
/** The app may take this long to react. */
const SOON = { timeout: 15_000 }

it('the window and the command say how long the session lasts, even when the provider is away', async () => {
  const provider = await startIdentityProvider({
    tokenLifetime: 600,
    sessionLifetime: 36_000,
    saysSessionEnd: (left) => ({ refresh_expires_in: left }),
  })
  onTestFinished(() => provider.stop())
  const env = ssoVariables(provider)
  const desk = await openTestDesktop()
  const app = await desk.start({ env })
  const window = await app.open()
  await window.page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).click()
  await window.signIn(ANA)
  // Whether a refresh moves the session's end can't be told yet: that takes two token responses at least five seconds
  // apart.
  expect(await latchkey(desk, ['status', '--until', '8h'])).toMatchObject({ code: 0, stderr: '' })
  expect(await latchkey(desk, ['status', '--until', '11h'])).toMatchObject({ code: 6 })
  const refreshed = async () => {
    await call(window.page, 'refreshNow')
    return (await latchkey(desk, ['status', '--until', '11h'])).code
  }
  await expect.poll(refreshed, { ...SOON, interval: 1_000 }).toBe(1)
  expect((await latchkey(desk, ['status', '--until', '9h'])).stdout).toMatch(
    /expected to last .*, as the provider says\.\n$/,
  )
  const job = ['--', 'sh', '-c', 'echo ran']
  expect(await latchkey(desk, ['exec', '--until', '9h', '--strict', ...job])).toEqual({
    code: 0,
    stdout: 'ran\n',
    stderr: '',
  })
  expect(await latchkey(desk, ['exec', '--until', '11h', '--strict', ...job])).toMatchObject({ code: 4, stdout: '' })
  const end = Date.now() + 36_000_000
  const until = texts.sessionEnd.until(end, Date.now(), 'identityProvider').replace(/\d.*/, '')
  await expect.poll(() => window.page.locator('.status').innerText(), SOON).toContain(until)

  await app.quit()
  await provider.stop()
  await desk.start({ env })
  const again = async () => (await latchkey(desk, ['status', '--until', '11h'])).code
  await expect.poll(again, SOON).toBe(1)
  expect(await latchkey(desk, ['status', '--until', '9h'])).toMatchObject({ code: 0 })
})

it('a sign-out ends the session here at once, and at the service as soon as the service answers', async () => {
  const { desk, window } = await openSignedIn()
  const { code, stdout } = await latchkey(desk, ['sign-out', '--all'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^default: Signed out, here and at the service\. Access tokens/),
  ])
  expect(await latchkey(desk, ['token'])).toMatchObject({ code: 3, stdout: '' })
  expect(await latchkey(desk, ['sign-out'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^You were not signed in/),
  })
  expect(desk.count('logout')).toBe(1)

  await window.signIn(ANA)
  for (let times = 0; times < 3; times++) desk.service.inject('logout', { kind: 'status', status: 503 })
  const pending = await latchkey(desk, ['sign-out'])
  expect(pending).toMatchObject({ code: 4, stdout: expect.stringContaining('keeps trying') })
  expect(await latchkey(desk, ['status', '--until', '1h'])).toMatchObject({ code: 3 })
  await expect.poll(() => desk.count('logout'), { timeout: 40_000 }).toBe(2)
})
