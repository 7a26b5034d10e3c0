import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askAgent } from '../support/ask-agent.ts'
import { openSignedIn, type TestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

async function deafBus({ home }: TestDesktop): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  onTestFinished(() => void server.close())
  const file = path.join(home, 'deaf')
  await once(server.listen(file), 'listening')
  chmodSync(file, 0o777)
  return `unix:path=${file}`
}

it.skipIf(process.platform !== 'linux')(
  'the app starts and ends although the session bus never answers, and keeps the session',
  async () => {
    const { desk, app: first } = await openSignedIn()
    await first.quit()

    const second = await desk.start({ env: { DBUS_SESSION_BUS_ADDRESS: await deafBus(desk) } })
    await (await second.open()).says(texts.sessionUnread.unavailable.heading)
    await expect(askAgent(desk)).resolves.toMatch(/^[45]\d\d /)
    process.kill(second.pid, 'SIGTERM')
    await second.ended()
    await (await (await desk.start()).open()).signedIn.waitFor()
    expect(desk.count('login')).toBe(1)
  },
)
