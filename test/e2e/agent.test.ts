/** Every tool of the signed-in user gets a token until that user signs out. Other users' tools never get one. */
import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const socketOf = ({ dataFolder }: TestDesktop) => path.join(dataFolder, 'agent.sock')

/** Runs the command as the app's user. */
async function latchkey(desk: TestDesktop, args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: socketOf(desk) }
  try {
    // Runs a copy of the command, because a checkout may be readable only by root.
    const script = path.join(desk.home, 'latchkey')
    copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
    const run = promisify(execFile)('sh', [script, ...args], { env, cwd: '/', ...ordinaryUser() })
    return { code: 0, ...(await run) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}

it('tools get the session’s token, which is refreshed in time, and get none after the user signs out', async () => {
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

  await window.signOut()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 3, stdout: '' })
  await app.quit()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 2, stdout: '' })
})
