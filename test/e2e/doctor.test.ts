import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { LATCHKEY, quoted, type Run, run } from '../integration/cli/programs.ts'
import { argumentsOf } from '../support/app.ts'
import { evidence, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

async function doctorsDesk() {
  const desk = await openTestDesktop()
  const { executable, appFolder } = desk.installation
  const program = path.join(desk.home, 'latchkey-desktop')
  const words = [executable, ...argumentsOf(desk)].map(quoted).join(' ')
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
  const { PATH = '', DISPLAY = '' } = process.env
  const plain = {
    PATH,
    DISPLAY,
    LATCHKEY_APP: program,
    LANG: 'de_DE.UTF-8',
    LATCHKEY_BASE_URL: desk.service.address,
    HOME: desk.home,
    XDG_RUNTIME_DIR: path.join(desk.home, 'run'),
    TMPDIR: path.join(desk.home, 'tmp'),
    DBUS_SESSION_BUS_ADDRESS: desk.keyring.env.DBUS_SESSION_BUS_ADDRESS,
  }
  const latchkey = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run([LATCHKEY, ...args], { env: { ...plain, ...env }, cwd: appFolder })
  return { desk, latchkey, doctor: (env: Readonly<Record<string, string>> = {}) => latchkey(['doctor'], env) }
}

const lineOf = ({ stdout }: Run, check: string) =>
  stdout.split('\n').find((line) => new RegExp(`^(ok|warning|FAILED) +${check} `).test(line)) ?? ''

it('`latchkey doctor` and `latchkey policy check FILE` work without the app; the doctor writes no files', async () => {
  const { desk, latchkey, doctor } = await doctorsDesk()
  const report = await doctor()
  expect(report).toMatchObject({ code: 0, stdout: expect.stringContaining('Latchkey doctor, ') })
  for (const check of ['versions', 'settings', 'proxy', 'name', 'certificate', 'service', 'clock', 'keyring']) {
    expect(lineOf(report, check)).toMatch(/^ok /)
  }
  expect(lineOf(report, 'agent')).toMatch(/^warning .*The agent isn’t running at/)
  expect(report.stdout).toContain(`baseAddress: ${desk.service.address} (set by an environment variable)`)
  expect(desk.service.requests.map(({ operation, status }) => [operation, status])).toEqual([['login', 401]])
  for (const name of ['config.json', 'logs']) expect(existsSync(path.join(desk.dataFolder, name))).toBe(false)
  const file = path.join(desk.home, 'my policy=1.json')
  writeFileSync(file, '{\n  "agent": "false"\n}')
  await expect(latchkey(['policy', 'check', file])).resolves.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('WRONG  The value of agent ('),
  })
})

it('`latchkey doctor` works next to a running app without disturbing it, needs no display, and prints the app’s log', async () => {
  const { desk, latchkey, doctor } = await doctorsDesk()
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  // This display doesn't exist. The doctor must not need it.
  const report = await doctor({ DISPLAY: ':4711' })
  expect(report.code).toBe(0)
  for (const check of ['agent', 'keyring']) expect(lineOf(report, check)).toMatch(/^ok /)
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  const secrets = [...tokensAsSecrets(desk.service.issuedSecrets()), { name: 'home', value: desk.home }]
  expect(findLeaks(secrets, [evidence('the report', report.stdout + report.stderr)])).toEqual([])
  await app.quit()
  await expect(latchkey(['doctor', '--log'])).resolves.toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^~?.*latchkey\.log:\n\n.*app\.started/s),
  })
})
