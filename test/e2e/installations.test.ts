/** One session per computer and data folder, even with a shared keychain. */
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { ANA } from '../../demo/users.ts'
import { run } from '../keyring/programs.ts'
import { startAgain } from '../support/app.ts'
import { call, viewOf } from '../support/calls.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { entryNameOn, storedToken } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { own } from '../support/ordinary-user.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

const xdotool = async (...args: string[]): Promise<readonly string[]> => {
  const { stdout } = await run('xdotool', args, { env: process.env as Record<string, string> })
  return stdout.split('\n').filter((line) => line !== '')
}

/** Prepares a second data folder on the same desk, and returns functions that use it. */
function withFolder(desk: Desk, name: string) {
  const dataFolder = path.join(desk.dataFolder, '..', name)
  mkdirSync(dataFolder, { mode: 0o700 })
  own(dataFolder)
  return {
    start: () => desk.start({ args: [`--user-data-dir=${dataFolder}`] }),
    token: () => storedToken({ ...desk, dataFolder }),
    entryName: entryNameOn({ ...desk, dataFolder }),
  }
}

it('two copies with separate data folders have separate sessions: one signs out, the other keeps refreshing', async () => {
  const desk = await openDesk()
  const { service, keyring } = desk
  const second = withFolder(desk, 'second')
  const first = await desk.start()
  const window = await first.open()
  await window.signIn(ANA)
  const other = await second.start()
  const otherWindow = await other.open()
  // The second copy doesn't use the session that the first copy has stored.
  await otherWindow.username.waitFor()
  await otherWindow.signIn(ANA)
  const [token = '', otherToken = ''] = [await storedToken(desk), await second.token()]
  expect(service.familyOf(token)).not.toBe(service.familyOf(otherToken))

  await window.signOut()
  await window.says('You’re signed out.')
  expect(service.isRefreshTokenValid(token)).toBe(false)
  await expect(keyring.lookup(entryNameOn(desk))).resolves.toBeUndefined()

  await expect(call(otherWindow.page, 'refreshNow')).resolves.toMatchObject({ ok: true })
  await expect(viewOf(otherWindow.page)).resolves.toMatchObject({ session: { kind: 'active', kept: 'keychain' } })
  const refreshed = (await second.token()) ?? ''
  expect(refreshed).not.toBe(otherToken)
  expect(service.isRefreshTokenValid(refreshed)).toBe(true)
  await other.quit()
  await (await (await second.start()).open()).signedIn.waitFor()
  expect([desk.count('login'), desk.count('logout'), service.replayCount()]).toEqual([2, 1, 0])
})

it.skipIf(process.platform !== 'linux')(
  'after a new machine id, the former session is neither used nor ended, so that a clone can’t end the original’s',
  async () => {
    const desk = await openDesk()
    const { keyring, service } = desk
    const first = await desk.start()
    await (await first.open()).signIn(ANA)
    await first.quit()
    // The state that another machine id would have left.
    const name = entryNameOn(desk)
    const former = name.replace(/[0-9a-f]{32}$/, '0'.repeat(32))
    const token = (await storedToken(desk)) ?? ''
    await keyring.put(former, await keyring.lookup(name))
    await keyring.put(name, undefined)
    const file = path.join(desk.dataFolder, 'config.json')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(name, former))

    const second = await desk.start()
    const window = await second.open()
    await window.username.waitFor()
    await window.signIn(ANA)
    await window.signOut()
    await window.says('You’re signed out.')
    expect(service.isRefreshTokenValid(token)).toBe(true)
    await expect(keyring.lookup(former)).resolves.toContain(token)
    await window.openSettings()
    await window.button(texts.settings.about.open).click()
    await window.button(texts.check.run).click()
    const shown = `${former.slice(0, -24)}…`
    const line = window.page.getByRole('listitem').filter({ hasText: shown })
    await line.getByText(texts.details.summary).click()
    await window.says(shown)
  },
)

describe.skipIf(process.platform !== 'linux')('a data folder with another computer’s lock', () => {
  const OTHER = 'pc-17.lab.example-4711'

  /** Starts the app in a data folder with another computer's lock. Presses these keys in the dialog about the lock. */
  async function startBeside(...keys: readonly string[]) {
    const desk = await openDesk()
    const { installation, dataFolder, home, keyring } = desk
    const lock = path.join(dataFolder, 'SingletonLock')
    symlinkSync(OTHER, lock)
    const { DBUS_SESSION_BUS_ADDRESS } = keyring.env
    const env = { HOME: home, TMPDIR: path.join(home, 'tmp'), DBUS_SESSION_BUS_ADDRESS }
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    let printed = ''
    const onPrinted = (text: string) => {
      printed += text
    }
    const ended = startAgain({ installation, dataFolder, env }, { onPrinted, signal: ending.signal })
    const dialogs = () => xdotool('search', '--onlyvisible', '--name', '^Latchkey$')
    await eventually(dialogs).toHaveLength(1)
    const [id = ''] = await dialogs()
    await xdotool('windowfocus', '--sync', id)
    // The dialog ignores keys until it is drawn.
    await sleep(1_000)
    await xdotool('key', ...keys)
    return { dataFolder, ended, printed: () => printed, holder: () => readlinkSync(lock) }
  }

  it('a dialog and standard error name the other computer; Enter ends the app, and nothing changes', async () => {
    const { dataFolder, ended, printed, holder } = await startBeside('Return')
    await expect(ended).resolves.toBe(1)
    expect(printed()).toContain('Latchkey is already running on pc-17.lab.example.')
    expect(printed()).toContain(dataFolder)
    expect(holder()).toBe(OTHER)
  })

  it('the app uses the data folder if the user confirms that, because the lock may be left from a crash', async () => {
    const { holder } = await startBeside('Tab', 'Return')
    await eventually(holder).toMatch(new RegExp(`^${hostname()}-\\d+$`))
  })
})

it('a session of a newer version is reported, not changed by a sign-in, and restored after an update', async () => {
  const desk = await openDesk()
  const { keyring } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  const name = entryNameOn(desk)
  const entry = (await keyring.lookup(name)) ?? ''
  const newer = JSON.stringify({ version: 3, of: 'a newer program' })
  await keyring.put(name, newer)

  const second = await desk.start()
  const window = await second.open()
  await window.says(texts.unknownVersion.heading)
  await window.button('Sign in').click()
  await window.signIn(ANA)
  await window.says(texts.session.kept('memory', GRANTS.password.capabilities))
  await window.signOut()
  await second.quit()
  await expect(keyring.lookup(name)).resolves.toBe(newer)

  await keyring.put(name, entry)
  await (await (await desk.start()).open()).signedIn.waitFor()
})
