/** Every tool of the person who signed in has a token, until they sign out; nobody else ever has. */
import { execFile } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const socketOf = ({ dataFolder }: Desk) => path.join(dataFolder, 'agent.sock')

/** Runs the command line as the person whose app it is. */
async function latchkey(desk: Desk, args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: socketOf(desk) }
  try {
    // A copy: a checkout may lie where only root reads.
    const script = path.join(desk.home, 'latchkey')
    copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
    const run = promisify(execFile)('sh', [script, ...args], { env, cwd: '/', ...ordinaryUser() })
    return { code: 0, ...(await run) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}

it('hands out the session’s token, refreshes it in time, and none after signing out', async () => {
  const desk = await openDesk({ service: { tokenLifetime: 5 } })
  const app = await desk.start()
  const window = await app.open()
  await expect.poll(async () => (await latchkey(desk, ['token'])).code).toBe(3)

  await window.signIn(ANA)
  const first = await latchkey(desk, ['token'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(desk.service.issuedSecrets()).toContain(first.stdout.trim())

  await expect.poll(async () => (await latchkey(desk, ['token'])).stdout, { timeout: 10_000 }).not.toBe(first.stdout)
  expect((await latchkey(desk, ['exec', '--', 'sh', '-c', 'test -n "$ACCESS_TOKEN"'])).code).toBe(0)

  await window.signOut()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 3, stdout: '' })
  await app.quit()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 2, stdout: '' })
})

it('the socket is the person’s alone', async () => {
  const desk = await openDesk()
  const app = await desk.start()
  await (await app.open()).signIn(ANA)
  const { mode, uid } = statSync(socketOf(desk))
  expect(mode & 0o777).toBe(0o600)
  expect(uid).toBe(ordinaryUser()?.uid ?? process.getuid?.())
  expect(statSync(desk.dataFolder).mode & 0o077).toBe(0)
})

it('a password changed in the window keeps the tools served', async () => {
  const desk = await openDesk({ service: { revokeOnPasswordChange: true } })
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.button('Change password').click()
  await window.tryChangePassword({ current: ANA.password, next: 'a longer quiet harbour' })
  await window.says('Password changed.')
  await window.signedIn.waitFor()
  const { code, stdout } = await latchkey(desk, ['token'])
  expect(code).toBe(0)
  expect(desk.service.issuedSecrets()).toContain(stdout.trim())
})
