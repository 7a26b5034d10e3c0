/** The shipped test build, installed and used as a person does. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { type Panel, startPanel } from '../support/panel.ts'
import { processTree, statusOf, typeOf } from '../support/processes.ts'
import { rootOnly } from '../support/systems.ts'
import { apt, ENTRY, filesOfLatchkey, hasDeb, type Installed, install, isInstalled } from './installed.ts'
import { arrive, type Person } from './person.ts'

const PROGRAM = 'opt/Latchkey/latchkey-desktop'
const COMMAND = 'usr/bin/latchkey'

if (!hasDeb()) {
  it('this system lacks dpkg-deb, so only the unpacked app is tested', () => {
    expect(existsSync('/usr/bin/dpkg-deb')).toBe(false)
  })
} else {
  let before: readonly string[]
  let installed: Installed
  let person: Person
  let panel: Panel
  beforeAll(async () => {
    before = filesOfLatchkey()
    installed = install()
    person = await arrive(installed)
    panel = await startPanel(person.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  })
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => console.log(`The installed app printed:\n${person.said()}`))
  })
  afterAll(async () => {
    panel?.stop()
    await person?.leave()
    installed?.remove()
  })

  const inSystem = (name: string) => path.join(installed.root, '/', name)
  const status = async () => JSON.parse((await person.run(COMMAND, ['status', '--json'])).stdout || '{}')
  // When the user enters the service's address, the app tries it with a request that is none of the service's
  // operations.
  const operations = () =>
    person.service.requests
      .filter(({ operation }) => operation !== undefined)
      .map(({ operation, status: code }) => `${operation} ${code}`)

  it('the desktop entry and the command are where the system looks for them', () => {
    const entry = readFileSync(inSystem(ENTRY), 'utf8')
    expect(entry).toMatch(/^Exec=\/opt\/Latchkey\/latchkey-desktop %U$/m)
    expect(entry).toMatch(/^StartupWMClass=latchkey-desktop$/m)
    expect(entry).toMatch(/^Icon=latchkey-desktop$/m)
    expect(statSync(inSystem(COMMAND)).mode & 0o777).toBe(0o755)
    for (const file of ['share/man/man1/latchkey.1', 'share/icons/hicolor/256x256/apps/latchkey-desktop.png']) {
      expect(existsSync(inSystem(`usr/${file}`)), file).toBe(true)
    }
  })

  // SECURITY: Electron's fuses runAsNode and enableNodeOptionsEnvironmentVariable must be off.
  it('the app doesn’t run as Node, and accepts no options of Node', async () => {
    const { stdout } = await person.run(PROGRAM, ['--inspect', '-p', '"I am Node"'], { ELECTRON_RUN_AS_NODE: '1' })
    expect(stdout).not.toContain('I am Node')
    const options = await person.run(PROGRAM, ['--inspect'], { NODE_OPTIONS: '--require=/nonexistent' })
    // With the wrong fuse, Electron would print that it doesn't support this option.
    expect([options.code, options.stderr]).toEqual([1, expect.not.stringContaining('NODE_OPTION')])
  })

  it('the desktop entry opens the app, and a person can sign in', async () => {
    await person.clickEntry()
    await person.window()
    await eventually(() => panel.tooltip()).toContain('Latchkey')
    await eventually(async () => (await status()).state).toBeDefined()
    await person.type(person.service.address)
    await person.press('Return')
    await eventually(() => panel.tooltip()).toBe('Latchkey: Signed out')
    await person.type(ANA.username)
    await person.press('Tab')
    await person.type(ANA.password)
    await person.press('Return')
    const { host } = new URL(person.service.address)
    await eventually(() => panel.tooltip()).toBe(`Latchkey: Signed in as Ana Duarte · ${host}`)
    expect(operations()).toEqual(['login 200'])
  })

  it.each(['python', 'r', 'node'])('`latchkey clients` prints the path of the library for %s', async (language) => {
    const { code, stdout } = await person.run(COMMAND, ['clients', language])
    expect(code).toBe(0)
    expect(stdout).toMatch(/\/opt\/Latchkey\/resources\/clients\/\S+\n$/)
    expect(existsSync(stdout.trimEnd())).toBe(true)
  })

  it('`latchkey token` prints the session’s access token', async () => {
    const { code, stdout, stderr } = await person.run(COMMAND, ['token'])
    expect([code, stderr]).toEqual([0, ''])
    expect(person.service.issuedSecrets()).toContain(stdout.trim())
  })

  // SECURITY: the package must set the permissions that Chromium's own sandbox needs.
  it('the app’s pages are in Chromium’s sandbox', () => {
    const pages = person.apps().flatMap(({ pid }) => processTree(pid).filter((each) => typeOf(each) === 'renderer'))
    expect(pages.map((each) => statusOf(each, 'Seccomp'))).toEqual(['2'])
    expect(person.apps()[0]?.commandLine).not.toContain('--no-sandbox')
  })

  it('after a quit from the tray and a start without a window, the user is still signed in', async () => {
    await panel.choose('Quit Latchkey')
    await person.gone()
    panel.stop()
    panel = await startPanel(person.keyring.env.DBUS_SESSION_BUS_ADDRESS)
    person.start(PROGRAM, ['--hidden'])
    await eventually(() => panel.tooltip()).toContain('Signed in as Ana Duarte')
    await expect(person.windows()).resolves.toEqual([])
    expect(operations()).toEqual(['login 200', 'refresh 200'])
  })

  it('a second start shows the window of the running app', async () => {
    await person.clickEntry()
    await person.window()
    await eventually(() => person.apps()).toHaveLength(1)
  })

  it('a sign-out from the tray reaches the service, and no secret is on the disk', async () => {
    await panel.choose('Sign out')
    await eventually(() => panel.tooltip()).toBe('Latchkey: Signed out')
    await eventually(() => operations()).toEqual(['login 200', 'refresh 200', 'logout 200'])
    expect((await person.run(COMMAND, ['token'])).code).toBe(3)
    await panel.choose('Quit Latchkey')
    await person.gone()
    const secrets = [...tokensAsSecrets(person.service.issuedSecrets()), { name: 'password', value: ANA.password }]
    expect(findLeaks(secrets, [...filesUnder(person.home), evidence('its output', person.said())])).toEqual([])
    expect(findLeaks(secrets, [evidence('planted', ANA.password)])).not.toEqual([])
  })

  it('the user’s settings are in the usual folder', () => {
    const settings = JSON.parse(readFileSync(path.join(person.home, '.config/Latchkey/config.json'), 'utf8'))
    expect(settings.connection.baseAddress).toBe(person.service.address)
  })

  describe('after an installation with apt', rootOnly('only root can install packages'), () => {
    it('apt knows a package for every dependency and recommendation', () => {
      const depends = field('Depends').split(', ')
      expect(depends).toContain('libsecret-1-0')
      const named = [...depends, ...field('Recommends').split(', ')].map((each) => each.split(' | '))
      const known = execFileSync('apt-cache', ['show', '--no-all-versions', ...named.flat()], { encoding: 'utf8' })
      const isKnown = (name: string) => known.includes(`Package: ${name}\n`)
      expect(named.filter((names) => !names.some(isKnown))).toEqual([])
      expect(field('Version')).toMatch(/~test$/)
    })

    it('the app is on the PATH, and Chromium’s helper has the rights that this kernel requires', () => {
      expect(lstatSync('/usr/bin/latchkey-desktop').isSymbolicLink()).toBe(true)
      expect(statSync('/usr/bin/latchkey-desktop').isFile()).toBe(true)
      const { uid, mode } = statSync('/opt/Latchkey/chrome-sandbox')
      expect(uid).toBe(0)
      expect([0o755, 0o4755]).toContain(mode & 0o7777)
    })

    it('removing the package leaves only user data', () => {
      apt('remove', '-y', 'latchkey')
      expect(isInstalled()).toBe(false)
      expect(filesOfLatchkey()).toEqual(before)
      apt('purge', '-y', 'latchkey')
      expect(filesOfLatchkey()).toEqual(before)
      expect(existsSync(path.join(person.home, '.config/Latchkey/config.json'))).toBe(true)
    })
  })

  it('the documented commands for removal delete everything that Latchkey stored', async () => {
    const page = readFileSync(path.join(ROOT, 'docs/users/removing.md'), 'utf8')
    const commands = /```sh\n(rm -rf .*?)```/s.exec(page)?.[1] ?? ''
    const left = () =>
      readdirSync(person.home, { recursive: true, encoding: 'utf8' }).filter((name) => /latchkey/i.test(name))
    expect(left()).toContain('.config/Latchkey')
    await person.shell('printf x | secret-tool store --label=Latchkey service Latchkey account other')
    expect(await person.shell(commands)).toMatchObject({ code: 0 })
    expect(left()).toEqual([])
    expect((await person.shell('secret-tool search --all service Latchkey')).stdout).toBe('')
  })

  const field = (name: string): string =>
    execFileSync('dpkg-query', ['-W', `-f=\${${name}}`, 'latchkey'], { encoding: 'utf8' })
}
