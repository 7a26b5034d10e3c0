/** A signal ends the app as Quit does: it first finishes pending work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type DeskApp, openDesk } from '../support/desk.ts'
import { eventually } from '../support/eventually.ts'
import { processTree } from '../support/processes.ts'

/** Starts the app at a service with one-time refresh tokens, and a refresh whose response is slow. */
async function amidRefresh() {
  const desk = await openDesk({ service: { grace: 0 } })
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  desk.service.inject('refresh', { kind: 'slow', ms: 1_500 })
  await window.button('Renew now').click()
  await eventually(() => desk.service.requests.at(-1)?.operation).toBe('refresh')
  const staysSignedIn = async () => {
    await (await (await desk.start()).open()).signedIn.waitFor()
    expect(desk.count('login')).toBe(1)
    expect(desk.service.replayCount()).toBe(0)
  }
  return { desk, app, staysSignedIn }
}

const toAll = (app: DeskApp, signal: NodeJS.Signals) => {
  for (const { pid } of processTree(app.pid)) process.kill(pid, signal)
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

it.each(SIGNALS)('after %s during a refresh, the next start is signed in', async (signal) => {
  const { app, staysSignedIn } = await amidRefresh()
  process.kill(app.pid, signal)
  await app.ended()
  await staysSignedIn()
})

it('further signals don’t interrupt the work that the first one waits for', async () => {
  const { app, staysSignedIn } = await amidRefresh()
  for (const signal of [...SIGNALS, ...SIGNALS, 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
    process.kill(app.pid, signal)
    await sleep(50)
  }
  await app.ended()
  await staysSignedIn()
})

it('SIGTERM every 50 ms, to the end, leaves the exit code 0', async () => {
  const desk = await openDesk({ service: { grace: 0 } })
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  desk.service.inject('refresh', { kind: 'slow', ms: 1_500 })
  const before = desk.service.requests.length
  let running = 0
  const storm = setInterval(() => {
    if (running === 0 || desk.service.requests.length === before) return
    try {
      process.kill(running, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }, 50)
  const code = await desk.startUndriven(
    { args: ['--hidden'] },
    {
      onStarted: (pid) => {
        running = pid
      },
    },
  )
  clearInterval(storm)
  expect(code).toBe(0)
  await (await (await desk.start()).open()).signedIn.waitFor()
})

// Ctrl+C and a closed terminal signal the whole process group; systemd signals every process of the unit.
it.each(SIGNALS)('%s to all processes of the app during a refresh loses no token', async (signal) => {
  const { app, staysSignedIn } = await amidRefresh()
  toAll(app, signal)
  await app.ended()
  await staysSignedIn()
})

it('SIGTERM to all processes loses no token, even if the keychain’s process was idle and has ended', async () => {
  const { app, staysSignedIn } = await amidRefresh()
  for (const { pid, commandLine } of processTree(app.pid)) {
    if (commandLine.includes('--utility-sub-type=node.mojom.NodeService')) process.kill(pid, 'SIGKILL')
  }
  toAll(app, 'SIGTERM')
  await app.ended()
  await staysSignedIn()
})

it('SIGTERM ends the app while the keychain’s unlock prompt is open, and the app is signed in after it', async () => {
  const desk = await openDesk()
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  await desk.keyring.lock()
  const prompter = await desk.keyring.startSilentPrompter()
  onTestFinished(() => prompter.stop())
  const second = await desk.start()
  await prompter.whenOpened(1)
  toAll(second, 'SIGTERM')
  await second.ended()
  await prompter.stop()
  await desk.keyring.unlock()
  await (await (await desk.start()).open()).signedIn.waitFor()
})

it('SIGTERM at any time of the start ends the app, and loses no session', async () => {
  const desk = await openDesk({ service: { grace: 0 } })
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  for (const ms of [20, 60, 120, 200, 300, 400, 500, 700, 900, 1_200]) {
    let ending: Promise<void> | undefined
    const code = await desk.startUndriven(
      {},
      {
        onStarted: (pid) => {
          ending = sleep(ms).then(() => void process.kill(pid, 'SIGTERM'))
        },
      },
    )
    await ending
    // Before the app listens, the signal itself ends it.
    expect([0, null]).toContain(code)
    expect(desk.service.replayCount()).toBe(0)
  }
  await (await (await desk.start()).open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('the app outlives the terminal or the pipe that it prints to', async () => {
  const desk = await openDesk()
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
  // Playwright waits for a line on standard error before it lets the app end.
  process.kill(app.pid, 'SIGKILL')
  await expect(app.ended()).rejects.toThrow('SIGKILL')
})
