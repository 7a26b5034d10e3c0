import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { renew } from '../support/entry.ts'
import { openSignedIn, type TestDesktop } from '../support/test-desktop.ts'

const folderOf = ({ dataFolder }: TestDesktop) => path.join(dataFolder, 'logs')
const logOf = (desk: TestDesktop): string =>
  readdirSync(folderOf(desk))
    .map((name) => readFileSync(path.join(folderOf(desk), name), 'utf8'))
    .join('')

it('an uncaught error is logged without its message, the session continues, and the log names no person', async () => {
  const { desk, app, window } = await openSignedIn()
  await app.app.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('a token could be in here')
    })
    setTimeout(async () => Promise.reject(new RangeError('and in here')))
  })
  await expect.poll(() => logOf(desk)).toMatch(/bug.*TypeError.*bug.*RangeError/s)
  await renew(desk, window)
  // `quit` rejects if the app printed errors. Here these are the two errors from above.
  await expect(app.quit()).rejects.toThrow(/uncaught: TypeError.*unhandled: RangeError/s)
  const log = logOf(desk)
  for (const event of ['app.started', 'session.state from=signingIn to=active', 'session.refreshed', 'app.stopped']) {
    expect(log).toContain(event)
  }
  for (const text of ['in here', ANA.username, ANA.name]) expect(log).not.toContain(text)
})
