/** The gateway from end to end: the command makes a password, a program reads the data, and signing out ends it. */
import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { call } from '../support/calls.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'

/** Runs the command as the app's user; resolves to its output. */
async function latchkey({ home, dataFolder }: TestDesktop, ...args: readonly string[]): Promise<string> {
  const script = path.join(home, 'latchkey')
  copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: path.join(dataFolder, 'agent.sock') }
  return (await promisify(execFile)('sh', [script, ...args], { env, cwd: '/', ...ordinaryUser() })).stdout
}

it('a program with the gateway’s password reads the data, over refreshes and a restart, until the user signs out', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: 5 } })
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  expect(await latchkey(desk, 'gateway')).toContain('state: off\n')
  await call(window.page, 'saveSettings', { gateway: 'true' })
  await expect
    .poll(() => latchkey(desk, 'gateway'))
    .toMatch(/^address: http:\/\/127\.0\.0\.1:\d+\nusername: latchkey\n/)
  const [, address = ''] = /^address: (.*)$/m.exec(await latchkey(desk, 'gateway')) ?? []
  const password = (await latchkey(desk, 'gateway', '--new-password')).trim()
  expect(password).toMatch(/^[A-Za-z0-9]{32}$/)
  const authorization = `Basic ${Buffer.from(`latchkey:${password}`).toString('base64')}`
  const ask = async () => {
    const answer = await fetch(`${address}/v1/tables.csv`, { headers: { authorization } })
    return `${answer.status} ${(await answer.text()).slice(0, 18)}`
  }
  expect(await ask()).toBe('200 table,rows,updated')
  const refreshes = () => desk.service.requests.filter(({ operation }) => operation === 'refresh').length
  // Tokens this short are only renewed when a tool asks.
  await expect
    .poll(async () => [await ask(), refreshes() > 0], { timeout: 15_000 })
    .toEqual(['200 table,rows,updated', true])

  await app.quit()
  await expect(ask()).rejects.toThrow()
  const again = await desk.start()
  await expect.poll(() => ask().catch(String), { timeout: 15_000 }).toBe('200 table,rows,updated')

  const reopened = await again.open()
  await reopened.signOut()
  expect(await ask()).toBe('503 You are not signed')
  expect(await latchkey(desk, 'gateway')).toContain('state: signed_out\n')
  await call(reopened.page, 'saveSettings', { gateway: 'false' })
  await expect.poll(() => ask().catch(() => 'closed')).toBe('closed')
  await again.quit()
})
