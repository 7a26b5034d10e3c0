import { expect, it } from 'vitest'
import { openSignedIn } from '../support/test-desktop.ts'

it('the packaged app opens, says that it is packaged, and signs the user in', async () => {
  const { desk, app: running } = await openSignedIn()
  expect(await running.app.evaluate(({ app }) => [app.isPackaged, app.getName()])).toEqual([true, 'Latchkey'])
  expect(desk.service.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['login 200'])
  await running.quit()
})
