/** The user's tools get tokens until the user signs out. Other users' tools never get one. */
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { latchkey } from '../support/latchkey-command.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

it('tools get the session’s token, which is refreshed in time, but get none after a sign-out', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: 5 } })
  const app = await desk.start()
  const window = await app.open()
  await expect.poll(async () => (await latchkey(desk, ['token'])).code).toBe(3)

  await window.signIn(ANA)
  const first = await latchkey(desk, ['token'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(desk.service.issuedSecrets()).toContain(first.stdout.trim())

  await expect.poll(async () => (await latchkey(desk, ['token'])).stdout, { timeout: 10_000 }).not.toBe(first.stdout)
  expect((await latchkey(desk, ['exec', '--', 'sh', '-c', 'test -n "$ACCESS_TOKEN"'])).code).toBe(0)

  await expect(latchkey(desk, ['sign-out'])).resolves.toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Signed out, here and at the service\./),
  })
  await window.username.waitFor()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 3, stdout: '' })
  await app.quit()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 2, stdout: '' })
})
