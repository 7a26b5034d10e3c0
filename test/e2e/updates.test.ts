import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Updater } from '../../main/updates/updates.ts'
import { filesUnder } from '../support/leaks.ts'
import { httpServer } from '../support/local-servers.ts'
import { own } from '../support/ordinary-user.ts'
import { processes, typeOf } from '../support/processes.ts'
import { running } from '../support/running.ts'
import { openTestDesktop, type TestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'

const INSTALLER = Buffer.from('#!/bin/sh\necho "$@" >"$0.ran"\nexit\n'.padEnd(4_096, '.'))
const SETUP = 'Latchkey-setup.exe'
const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('base64')

interface Feed {
  readonly version?: string
  readonly sent?: Buffer
  readonly file?: string
  readonly hangs?: boolean
}

async function startFeed({ version = '99.0.0', sent = INSTALLER, file = SETUP, hangs = false }: Feed = {}) {
  const asked: string[] = []
  const latest = [
    `version: ${version}`,
    'files:',
    `  - url: ${file}`,
    `    sha512: ${sha512(INSTALLER)}`,
    `    size: ${INSTALLER.length}`,
    `path: ${file}`,
    `sha512: ${sha512(INSTALLER)}`,
    "releaseDate: '2026-01-01T00:00:00.000Z'",
    '',
  ].join('\n')
  const serving = httpServer(({ url = '', headers }, response) => {
    asked.push(`${url.replace(/\?.*/, '')} ${JSON.stringify(headers)}`)
    if (url.includes('.yml')) return response.end(latest)
    response.setHeader('Content-Length', INSTALLER.length)
    return hangs ? response.write(sent.subarray(0, 10)) : response.end(sent)
  })
  return { address: `http://127.0.0.1:${(await running(serving)).port}`, asked }
}

/** The main process's global object, which keeps the updater for the next call, as the app does. */
type Keeping = typeof globalThis & { updater?: Updater | undefined }

/** Downloads as on `platform`, because the updater never downloads on Linux. */
function fetchIn(app: TestDesktopApp, feed: string, config: string, { platform = 'win32', timeoutMs = 60_000 } = {}) {
  return app.app.evaluate(
    async (electron, [address, file, system, longest]) => {
      const chunk = `${electron.app.getAppPath()}/out/main/app-updater.cjs`
      const { createAppUpdater } = process.mainModule?.require(chunk) ?? {}
      const kept = globalThis as Keeping
      const clock = {
        now: () => performance.now(),
        at: (deadline: number, action: () => void) => {
          const timer = setTimeout(action, deadline - performance.now())
          return () => clearTimeout(timer)
        },
      }
      kept.updater ??= createAppUpdater({ platform: system, config: file, clock, timeoutMs: longest }) as Updater
      try {
        return { version: await kept.updater.fetch(address) }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return { code: code ?? message }
      }
    },
    [feed, config, platform, timeoutMs] as const,
  )
}

const holdsIn = ({ app }: TestDesktopApp) => app.evaluate(() => (globalThis as Keeping).updater?.holds())

/** Hands the update to a fake Squirrel. The real one exists only on macOS. @param problem Why it refuses the update. */
const prepareIn = ({ app }: TestDesktopApp, problem?: string): Promise<string> =>
  app.evaluate(async ({ autoUpdater }, why) => {
    const speak = () =>
      why === undefined ? autoUpdater.emit('update-downloaded') : autoUpdater.emit('error', new Error(why))
    autoUpdater.checkForUpdates = () => void setImmediate(speak)
    const prepared = (globalThis as Keeping).updater?.prepare().then(() => 'prepared')
    return prepared?.catch((error: Error) => error.message) ?? 'no updater'
  }, problem)

const installIn = ({ app }: TestDesktopApp) =>
  app.evaluate(() => void setImmediate(() => (globalThis as Keeping).updater?.install()))

async function openApp(publisher: string[] = []) {
  const desk = await openTestDesktop()
  const config = path.join(desk.home, 'app-update.yml')
  const names = publisher.map((name) => `publisherName:\n  - ${name}\n`).join('')
  writeFileSync(
    config,
    `provider: generic\nurl: https://updates.invalid\nupdaterCacheDirName: latchkey-updater\n${names}`,
  )
  own(config)
  return { desk, config, app: await desk.start() }
}

const appsOf = ({ dataFolder }: TestDesktop) =>
  processes().filter((each) => each.commandLine.includes(dataFolder) && typeOf(each) === 'main')

const installersIn = ({ home }: TestDesktop) => filesUnder(home).filter(({ place }) => place.endsWith('.exe'))

it('only the valid installer of a newer version is kept, until a later download fails', async () => {
  const { desk, app, config } = await openApp()
  const other = Buffer.alloc(INSTALLER.length, 'x')
  for (const [what, feed, outcome] of [
    ['an older version', { version: '0.0.9' }, { version: undefined }],
    ['another installer', { sent: other }, { code: 'ERR_CHECKSUM_MISMATCH' }],
    ['an installer that stops', { hangs: true }, { code: expect.stringContaining('stopped') }],
  ] as const) {
    const { address } = await startFeed(feed)
    const options = 'hangs' in feed ? { timeoutMs: 2_000 } : {}
    await expect(fetchIn(app, address, config, options), what).resolves.toEqual(outcome)
    await expect.poll(() => installersIn(desk)).toEqual([])
    // The app, too, drops the updater if a download fails and no update is ready.
    await app.app.evaluate(() => {
      ;(globalThis as Keeping).updater = undefined
    })
  }

  const feed = await startFeed()
  await expect(fetchIn(app, feed.address, config)).resolves.toEqual({ version: '99.0.0' })
  expect([await holdsIn(app), installersIn(desk).length]).toEqual([true, 1])
  // The list's name contains the system on which the updater runs. Each file is requested once.
  expect(feed.asked.map((each) => each.split(' ')[0])).toEqual(['/latest-linux.yml', `/${SETUP}`])
  expect(feed.asked.join()).not.toMatch(/authorization|cookie|[0-9a-f]{8}-[0-9a-f]{4}/i)
  const { address } = await startFeed({ version: '99.1.0', sent: other })
  await expect(fetchIn(app, address, config)).resolves.toEqual({ code: 'ERR_CHECKSUM_MISMATCH' })
  expect([await holdsIn(app), installersIn(desk)]).toEqual([false, []])
})

it('the installer starts silently after the user has accepted the update, even if a signal ends the app', async () => {
  const { desk, app, config } = await openApp()
  await fetchIn(app, (await startFeed()).address, config)
  const [installer] = installersIn(desk)
  chmodSync(String(installer?.place), 0o755)
  // When the app quits, a signal ends it, as happens if the keychain hangs (see lifecycle.ts).
  await app.app.evaluate((electron) => {
    electron.app.on('quit', () => process.kill(process.pid, 'SIGKILL'))
  })
  const ended = app.app.waitForEvent('close')
  await installIn(app)
  await ended
  const ran = `${installer?.place}.ran`
  await expect.poll(() => existsSync(ran) && readFileSync(ran, 'utf8')).toBe('--updated /S --force-run\n')
  expect(appsOf(desk)).toEqual([])
})

it('if the installer has been deleted, the app starts again', async () => {
  const { desk, app, config } = await openApp()
  await fetchIn(app, (await startFeed()).address, config)
  for (const { place } of installersIn(desk)) rmSync(place)
  await app.app.evaluate(() => {
    // A relaunched app may not gain privileges, which Linux's sandbox helper needs (electron/electron#41463).
    process.env['ELECTRON_DISABLE_SANDBOX'] = '1'
  })
  onTestFinished(async () => {
    for (const { pid } of appsOf(desk)) process.kill(pid, 'SIGTERM')
    await expect.poll(() => appsOf(desk)).toEqual([])
  })
  await installIn(app)
  await app.ended()
  await expect.poll(() => existsSync(path.join(desk.dataFolder, 'agent.sock')) && appsOf(desk)).toHaveLength(1)
})

it('SECURITY: on macOS, the app doesn’t restart for an update with a wrong signature', async () => {
  const { desk, app, config } = await openApp()
  const { address } = await startFeed({ file: 'Latchkey-mac.zip' })
  await expect(fetchIn(app, address, config, { platform: 'darwin' })).resolves.toEqual({ version: '99.0.0' })
  await expect(prepareIn(app, 'code signature')).resolves.toBe('code signature')
  expect([await holdsIn(app), appsOf(desk).length]).toEqual([false, 1])
  await fetchIn(app, address, config, { platform: 'darwin' })
  await expect(prepareIn(app)).resolves.toBe('prepared')
  expect(await holdsIn(app)).toBe(true)
})

it('SECURITY: an installer whose signature can’t be checked is refused and not kept', async () => {
  const { desk, app, config } = await openApp(['The Latchkey developers'])
  const { address } = await startFeed()
  await expect(fetchIn(app, address, config)).resolves.toEqual({ code: 'ERR_UPDATER_INVALID_SIGNATURE' })
  expect(installersIn(desk)).toEqual([])
})
