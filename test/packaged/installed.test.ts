import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { type Panel, startPanel } from '../support/panel.ts'
import { processTree, statusOf, typeOf } from '../support/processes.ts'
import { leaveOut, rootOnly } from '../support/systems.ts'
import { made } from './builds.ts'
import { apt, filesOfLatchkey, type Installed, install } from './installed.ts'
import { arrive, type Person } from './person.ts'

const PROGRAM = 'opt/Latchkey/latchkey-desktop'
const COMMAND = 'usr/bin/latchkey'

const DPKG_DEB = leaveOut(!existsSync('/usr/bin/dpkg-deb'), 'only a system with dpkg-deb can build the deb')
describe('the deb', DPKG_DEB, () => {
  let before: readonly string[]
  let installed: Installed
  let person: Person
  let panel: Panel
  beforeAll(async () => {
    before = filesOfLatchkey()
    installed = install(made('.deb') ?? expect.unreachable('there is no .deb'))
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

  const status = async () => JSON.parse((await person.run(COMMAND, ['status', '--json'])).stdout || '{}')
  // When the user enters the service's address, the app tries it with a request that is none of the service's
  // operations.
  const operations = () =>
    person.service.requests
      .filter(({ operation }) => operation !== undefined)
      .map(({ operation, status: code }) => `${operation} ${code}`)

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
    await expect.poll(() => panel.tooltip()).toContain('Latchkey')
    await expect.poll(async () => (await status()).state).toBeDefined()
    await person.fill(person.service.address)
    await person.press('Return')
    await expect.poll(() => panel.tooltip()).toBe('Latchkey: Signed out')
    await person.fill(ANA.username)
    await person.press('Tab')
    await person.type(ANA.password)
    await person.press('Return')
    const { host } = new URL(person.service.address)
    await expect.poll(() => panel.tooltip()).toBe(`Latchkey: Signed in as Ana Duarte · ${host}`)
    expect(operations()).toEqual(['login 200'])
  })

  it('`latchkey token` prints the session’s access token, and `latchkey clients` the path of a library', async () => {
    const { code, stdout, stderr } = await person.run(COMMAND, ['token'])
    expect([code, stderr]).toEqual([0, ''])
    expect(person.service.issuedSecrets()).toContain(stdout.trim())
    for (const language of ['python', 'r', 'node']) {
      const printed = await person.run(COMMAND, ['clients', language])
      expect(printed.stdout).toMatch(/\/opt\/Latchkey\/resources\/clients\/\S+\n$/)
      expect(existsSync(printed.stdout.trimEnd())).toBe(true)
    }
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
    await expect.poll(() => panel.tooltip()).toContain('Signed in as Ana Duarte')
    await expect(person.windows()).resolves.toEqual([])
    expect(operations()).toEqual(['login 200', 'refresh 200'])
  })

  it('a sign-out from the tray reaches the service, and no secret is on the disk', async () => {
    await panel.choose('Sign out')
    await expect.poll(() => panel.tooltip()).toBe('Latchkey: Signed out')
    await expect.poll(() => operations()).toEqual(['login 200', 'refresh 200', 'logout 200'])
    expect((await person.run(COMMAND, ['token'])).code).toBe(3)
    await panel.choose('Quit Latchkey')
    await person.gone()
    const secrets = [...tokensAsSecrets(person.service.issuedSecrets()), { name: 'password', value: ANA.password }]
    expect(findLeaks(secrets, [...filesUnder(person.home), evidence('its output', person.said())])).toEqual([])
  })

  describe('after an installation with apt', rootOnly('only root can install packages'), () => {
    it('removing the package leaves only user data', () => {
      apt('remove', '-y', 'latchkey')
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
})
