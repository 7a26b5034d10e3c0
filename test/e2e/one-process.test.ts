/** One process for each data folder, whatever happens to the folders around it. */
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../keyring/programs.ts'
import { eventually } from '../support/eventually.ts'
import { visibleWindows } from '../support/main-process.ts'
import { NO_DISPLAY } from '../support/native-dialog.ts'
import { processes, typeOf } from '../support/processes.ts'
import { openSignedIn, openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'

/** The main processes that use the desk's data folder. */
const mainProcesses = ({ dataFolder }: TestDesktop) =>
  processes().filter((each) => each.commandLine.includes(`--user-data-dir=${dataFolder}`) && typeOf(each) === 'main')

/** Starts the app without Playwright. Returns what it has printed so far, and its exit code. */
function startUndriven(desk: TestDesktop, options?: Parameters<TestDesktop['startUndriven']>[0]) {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  let printed = ''
  const onPrinted = (text: string) => {
    printed += text
  }
  const ended = desk.startUndriven(options, { onPrinted, signal: ending.signal })
  ended.catch(() => {})
  return { ended, printed: () => printed, end: () => ending.abort() }
}

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it('a second start shows the first one’s window, even after all temporary files were deleted', async () => {
    const { desk, app, window } = await openSignedIn({ service: { grace: 0 } })
    await window.close()
    await eventually(() => visibleWindows(app.app)).toBe(0)
    for (const name of ['tmp', 'run']) {
      const folder = path.join(desk.home, name)
      for (const each of readdirSync(folder)) rmSync(path.join(folder, each), { recursive: true })
    }
    await expect(app.startAgain()).resolves.toBe(0)
    await eventually(() => visibleWindows(app.app)).toBe(1)
    expect(mainProcesses(desk)).toHaveLength(1)
    expect(desk.service.replayCount()).toBe(0)
  })

  it('of several starts at once, one runs, and the others end without an error', async () => {
    const desk = await openTestDesktop()
    const starts = Array.from({ length: 4 }, () => startUndriven(desk))
    const codes: (number | null)[] = []
    for (const { ended } of starts) void ended.then((code) => codes.push(code))
    await expect.poll(() => codes, { timeout: 20_000 }).toEqual([0, 0, 0])
    expect(mainProcesses(desk)).toHaveLength(1)
  })

  it('a start while the running copy is ending waits for its end, and then runs', async () => {
    const { desk, app: first, window } = await openSignedIn({ service: { grace: 0 } })
    desk.service.inject('refresh', { kind: 'slow', ms: 2_000 })
    await window.choose('Renew now')
    await eventually(() => desk.service.requests.at(-1)?.operation).toBe('refresh')
    process.kill(first.pid, 'SIGTERM')
    await sleep(200)
    const second = await desk.start()
    await first.ended()
    await (await second.open()).signedIn.waitFor()
    expect(desk.service.replayCount()).toBe(0)
  })

  it('a start says so if a program that never answers listens at the lock', async () => {
    const desk = await openTestDesktop()
    const server = createServer()
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => {
      server.listen(path.join(desk.dataFolder, 'lock-0000000000000000.sock'), resolve)
    })
    // If root runs the tests, the app runs as another user, who must be able to connect.
    chmodSync(path.join(desk.dataFolder, 'lock-0000000000000000.sock'), 0o777)
    const { ended, printed } = startUndriven(desk, { env: NO_DISPLAY })
    await expect(ended).resolves.toBe(1)
    expect(printed()).toContain(`Another program is using the lock in its data folder ${desk.dataFolder}`)
  })

  it('a start from another display says where Latchkey runs', async () => {
    const desk = await openTestDesktop()
    const app = await desk.start()
    await app.open()
    const { DISPLAY = '' } = process.env
    // This is another name of the same X server (X(7)).
    const second = startUndriven(desk, { env: { DISPLAY: `unix${DISPLAY}` } })
    await eventually(() => second.printed()).toContain(
      'Latchkey is already running on another display. It is running on',
    )
    expect(second.printed()).toContain(DISPLAY)
    const windows = async () => {
      const { stdout } = await run('xdotool', ['search', '--onlyvisible', '--name', '^Latchkey$'], { env: { DISPLAY } })
      return stdout.trim().split('\n')
    }
    // One is the app's window, the other is the dialog.
    await eventually(windows).toHaveLength(2)
    second.end()
    await app.quit()
  })
})
