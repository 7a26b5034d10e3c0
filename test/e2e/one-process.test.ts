import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { visibleWindows } from '../support/main-process.ts'
import { processes, typeOf } from '../support/processes.ts'
import { openSignedIn, openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'

const mainProcesses = ({ dataFolder }: TestDesktop) =>
  processes().filter((each) => each.commandLine.includes(`--user-data-dir=${dataFolder}`) && typeOf(each) === 'main')

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it('a second start shows the first one’s window, even after all temporary files were deleted', async () => {
    const { desk, app, window } = await openSignedIn({ service: { grace: 0 } })
    await window.close()
    await expect.poll(() => visibleWindows(app.app)).toBe(0)
    for (const name of ['tmp', 'run']) {
      const folder = path.join(desk.home, name)
      for (const each of readdirSync(folder)) rmSync(path.join(folder, each), { recursive: true, force: true })
    }
    await expect(app.startAgain()).resolves.toBe(0)
    await expect.poll(() => visibleWindows(app.app)).toBe(1)
    await expect.poll(() => mainProcesses(desk)).toHaveLength(1)
    expect(desk.service.replayCount()).toBe(0)
  })

  it('if the app is started several times at once, one copy runs, and the others end without an error', async () => {
    const desk = await openTestDesktop()
    const starts = Array.from({ length: 4 }, () => desk.startUndriven())
    const codes: (number | null)[] = []
    for (const { ended } of starts) void ended.then((code) => codes.push(code))
    await expect.poll(() => codes).toEqual([0, 0, 0])
    // While a process starts another one, both have its command line.
    await expect.poll(() => mainProcesses(desk)).toHaveLength(1)
  })

  it('if the app is started while an earlier copy is ending, the new copy waits for that end, and then runs', async () => {
    const { desk, app: first, window } = await openSignedIn({ service: { grace: 0 } })
    desk.service.inject('refresh', { kind: 'slow', ms: 2_000 })
    await window.choose('Renew now')
    await expect.poll(() => desk.service.requests.at(-1)?.operation).toBe('refresh')
    const ending = first.app
      .evaluate(({ app }) => new Promise<void>((resolve) => app.once('before-quit', () => resolve())))
      .catch(() => {})
    process.kill(first.pid, 'SIGTERM')
    await ending
    const second = await desk.start()
    await first.ended()
    await (await second.open()).signedIn.waitFor()
    expect(desk.service.replayCount()).toBe(0)
  })
})
