import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { processes, processTree } from '../support/processes.ts'
import { openSignedIn, openTestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'

function send(signal: NodeJS.Signals, { pid }: { readonly pid: number }) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process may have ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const toAll = ({ pid }: TestDesktopApp, signal: NodeJS.Signals) => {
  for (const each of processTree(pid)) send(signal, each)
}

/** Sends many signals to the app. The first one ends the app once its work is finished; the others change nothing. */
async function toApp(app: TestDesktopApp): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
    send(signal, app)
    await sleep(50)
  }
}

/** Kills or stops the keychain's process, as if it had crashed or hung, and then signals all processes of the app. */
const withKeychainProcess = (signal: 'SIGKILL' | 'SIGSTOP') => (app: TestDesktopApp) => {
  for (const each of processTree(app.pid)) {
    if (each.commandLine.includes('--utility-sub-type=node.mojom.NodeService')) send(signal, each)
  }
  toAll(app, 'SIGTERM')
}

it('no token is lost if signals reach the app or all its processes during a refresh', async () => {
  const desk = await openTestDesktop({ service: { grace: 0 } })
  const start = async () => {
    const app = await desk.start()
    return { app, window: await app.open() }
  }
  let { app, window } = await start()
  await window.signIn(ANA)
  // Ctrl+C and a closed terminal signal the process group; systemd signals every process of the unit.
  const ways = [
    ...(['SIGINT', 'SIGHUP'] as const).map((signal) => (each: TestDesktopApp) => toAll(each, signal)),
    ...[toApp, withKeychainProcess('SIGKILL'), withKeychainProcess('SIGSTOP')],
  ]
  for (const signal of ways) {
    desk.service.inject('refresh', { kind: 'slow', ms: 1_500 })
    const before = desk.service.requests.length
    await window.choose('Renew now')
    await expect.poll(() => desk.service.requests.slice(before).at(-1)?.operation).toBe('refresh')
    await signal(app)
    await app.ended()
    ;({ app, window } = await start())
    await window.signedIn.waitFor()
    expect(desk.count('login')).toBe(1)
    expect(desk.service.replayCount()).toBe(0)
  }
})

it('while the unlock prompt is open, a killed app leaves no process, SIGTERM ends the app, and no session is lost', async () => {
  const { desk, app: first } = await openSignedIn()
  await first.quit()
  await desk.keyring.lock()
  const startAtPrompt = async () => {
    const prompter = await desk.keyring.startSilentPrompter()
    onTestFinished(() => prompter.stop())
    const app = await desk.start()
    await prompter.whenOpened(1)
    return { app, prompter }
  }
  const { app: killed, prompter: before } = await startAtPrompt()
  const own = processTree(killed.pid).map(({ pid }) => pid)
  expect(own.length).toBeGreaterThan(1)
  process.kill(killed.pid, 'SIGKILL')
  await expect(killed.ended()).rejects.toThrow('SIGKILL')
  await expect.poll(() => processes().filter(({ pid }) => own.includes(pid))).toEqual([])
  before.stop()

  const { app: second, prompter } = await startAtPrompt()
  toAll(second, 'SIGTERM')
  await second.ended()
  prompter.stop()
  await desk.keyring.unlock()
  await (await (await desk.start()).open()).signedIn.waitFor()
})

it('SIGTERM at any time during the start ends the app, and loses no session', async () => {
  const { desk, app: first } = await openSignedIn({ service: { grace: 0 } })
  await first.quit()
  for (const ms of [20, 120, 300, 500, 900]) {
    const { pid, ended } = desk.startUndriven()
    await sleep(ms)
    process.kill(pid, 'SIGTERM')
    const code = await ended
    // Before the app can handle signals, the signal itself ends the app, without an exit code.
    expect([0, null]).toContain(code)
    expect(desk.service.replayCount()).toBe(0)
  }
  await (await (await desk.start()).open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('the app keeps running after the terminal or the pipe that it prints to has closed', async () => {
  const desk = await openTestDesktop()
  const app = await desk.start()
  await app.open()
  const { stdout, stderr } = app.app.process()
  stdout?.destroy()
  stderr?.destroy()
  await app.app.evaluate(() => {
    for (let lines = 0; lines < 100; lines++) console.log('on stdout')
    for (let lines = 0; lines < 100; lines++) console.error('on stderr')
    process.emit('uncaughtException', new Error('reported on stderr'))
  })
  await sleep(300)
  await app.app.evaluate(() => console.error('once more'))
  await expect(app.startAgain()).resolves.toBe(0)
  // Before a normal end, Playwright would wait for a line on standard error, which is closed.
  process.kill(app.pid, 'SIGKILL')
  await expect(app.ended()).rejects.toThrow('SIGKILL')
})
