import { expect, it } from 'vitest'
import { call } from '../support/calls.ts'
import { latchkey } from '../support/latchkey-command.ts'
import { openSignedIn, type TestDesktop } from '../support/test-desktop.ts'

const printed = async (desk: TestDesktop, ...args: readonly string[]) => (await latchkey(desk, args)).stdout

it('a program can read the data after refreshes and a restart, until the user signs out', async () => {
  const { desk, app, window } = await openSignedIn({ service: { tokenLifetime: 5 } })
  await window.page.getByRole('button', { name: /^Excel, BI/ }).click()
  await window.page.getByRole('switch').click()
  await window.button('Copy password').click()
  await window.says('Paste it within five minutes.')
  const copied = await app.app.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(() => printed(desk, 'gateway')).toMatch(/^address: http:\/\/127\.0\.0\.1:\d+\nusername: latchkey\n/)
  const [, address = ''] = /^address: (.*)$/m.exec(await printed(desk, 'gateway')) ?? []
  const ask = async (given: string) => {
    const authorization = `Basic ${Buffer.from(`latchkey:${given}`).toString('base64')}`
    const headers = { authorization, 'user-agent': 'Excel/16.0' }
    const answer = await fetch(`${address}/v1/tables.csv`, { headers })
    return `${answer.status} ${(await answer.text()).slice(0, 18)}`
  }
  // If the token has expired soon after its refresh, the gateway has none for some seconds.
  await expect.poll(() => ask(copied)).toBe('200 table,rows,updated')
  const password = (await printed(desk, 'gateway', '--new-password')).trim()
  expect(password).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(await ask(copied)).toMatch(/^401/)
  await expect.poll(() => ask(password)).toBe('200 table,rows,updated')
  // The token's lifetime is so short that the app refreshes the token only when a tool needs one.
  await expect
    .poll(async () => [await ask(password), desk.count('refresh') > 0])
    .toEqual(['200 table,rows,updated', true])

  await app.quit()
  await expect(ask(password)).rejects.toThrow()
  const again = await desk.start()
  await expect.poll(() => ask(password).catch(String)).toBe('200 table,rows,updated')

  const reopened = await again.open()
  await reopened.signOut()
  expect(await ask(password)).toBe('503 You are not signed')
  await call(reopened.page, 'saveSettings', { gateway: 'false' })
  await expect.poll(() => ask(password).catch(() => 'closed')).toBe('closed')
  await again.quit()
})
