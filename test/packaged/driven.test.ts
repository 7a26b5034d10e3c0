/** The packaged app, on every system. */
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

it('the packaged app opens, says that it is packaged, and signs the user in', async () => {
  const desk = await openTestDesktop()
  const running = await desk.start()
  const window = await running.open()
  await window.signIn(ANA)
  expect(await running.app.evaluate(({ app }) => [app.isPackaged, app.getName()])).toEqual([true, 'Latchkey'])
  expect(desk.service.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['login 200'])
  await running.quit()
})
