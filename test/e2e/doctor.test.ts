/** `latchkey doctor` next to a running app and without one, and the checks in the app's window. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { ANA } from '../../demo/users.ts'
import { argumentsOf, ROOT } from '../support/app.ts'
import { evidence, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { processTree } from '../support/processes.ts'
import { startHttpProxy } from '../support/proxy/http-proxy.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

interface Report {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A test desktop, with functions that run `latchkey` and `latchkey doctor` there. */
async function doctorsDesk(options: Parameters<typeof openTestDesktop>[0] = {}) {
  const desk = await openTestDesktop(options)
  const { executable, appFolder } = desk.installation
  const program = path.join(desk.home, 'latchkey-desktop')
  const words = [executable, ...argumentsOf(desk)]
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)

  const latchkey = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Report> => {
    const { PATH = '', DISPLAY = '' } = process.env
    const child = spawn(path.join(ROOT, 'cli/latchkey'), args, {
      cwd: appFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...{ PATH, DISPLAY, LATCHKEY_APP: program, LANG: 'de_DE.UTF-8', LATCHKEY_BASE_URL: desk.service.address },
        ...{ HOME: desk.home, XDG_RUNTIME_DIR: path.join(desk.home, 'run'), TMPDIR: path.join(desk.home, 'tmp') },
        DBUS_SESSION_BUS_ADDRESS: desk.keyring.env.DBUS_SESSION_BUS_ADDRESS,
        ...env,
      },
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: child.exitCode, stdout, stderr }
  }
  return { desk, latchkey, doctor: (env: Readonly<Record<string, string>> = {}) => latchkey(['doctor'], env) }
}

const lineOf = ({ stdout }: Report, check: string) =>
  stdout.split('\n').find((line) => new RegExp(`^(ok|warning|FAILED) +${check} `).test(line)) ?? ''

it('`latchkey doctor` works without the app, writes no files, and exits with 0 if all is well', async () => {
  const { desk, doctor } = await doctorsDesk()
  const report = await doctor()
  expect(report).toMatchObject({ code: 0, stdout: expect.stringContaining('Latchkey doctor, ') })
  for (const check of ['versions', 'settings', 'proxy', 'name', 'certificate', 'service', 'clock', 'keyring']) {
    expect(lineOf(report, check)).toMatch(/^ok /)
  }
  expect(lineOf(report, 'agent')).toMatch(/^warning .*The agent isn’t running at/)
  expect(report.stdout).toContain(`baseAddress: ${desk.service.address} (set by an environment variable)`)
  expect(report.stdout).toMatch(/\n\d warnings?\.\n\nTo read out to support:\n/)
  // The doctor sent one request, without credentials.
  expect(desk.service.requests.map(({ operation, status }) => [operation, status])).toEqual([['login', 401]])
  expect(existsSync(path.join(desk.dataFolder, 'config.json'))).toBe(false)
  expect(existsSync(path.join(desk.dataFolder, 'logs'))).toBe(false)
})

it('`latchkey doctor` works next to a running app without disturbing it, and needs no display', async () => {
  const { desk, doctor } = await doctorsDesk()
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  const before = processTree(app.pid).length
  // This display doesn't exist. The doctor must not need it.
  const report = await doctor({ DISPLAY: ':4711' })
  expect(report.code).toBe(0)
  expect(lineOf(report, 'agent')).toMatch(/^ok /)
  expect(lineOf(report, 'keyring')).toMatch(/^ok /)
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  expect(processTree(app.pid).length).toBeGreaterThanOrEqual(before - 1)
  const secrets = [
    ...tokensAsSecrets(desk.service.issuedSecrets()),
    { name: 'password', value: ANA.password },
    { name: 'home', value: desk.home },
  ]
  expect(findLeaks(secrets, [evidence('the report', report.stdout + report.stderr)])).toEqual([])
})

it('`latchkey doctor` uses a proxy with TLS and a password, and doesn’t print the password', async () => {
  const tls = selfSignedCertificate({ host: 'service.test' })
  const { desk, doctor } = await doctorsDesk({ service: { tls } })
  const certificates = path.join(desk.home, 'certificates.pem')
  writeFileSync(certificates, tls.cert)
  const login = { username: 'corp', password: 'Se/cret77' }
  const proxy = await startHttpProxy({ names: { 'service.test': desk.service.port }, login })
  onTestFinished(() => proxy.stop())
  const name = `127.0.0.1:${proxy.port}`
  const env = { LATCHKEY_BASE_URL: 'https://service.test', SSL_CERT_FILE: certificates }

  const report = await doctor({ ...env, HTTPS_PROXY: `corp:${login.password}@${name}` })
  expect(lineOf(report, 'proxy')).toMatch(/^ok .*requires a username and password/)
  expect(lineOf(report, 'certificate')).toMatch(/service\.test:443 is trusted/)
  expect(lineOf(report, 'service')).toMatch(/^ok .*HTTP 401/)
  expect(report.code).toBe(0)
  expect(report.stdout).toContain(`HTTPS_PROXY: [secret]@${name} (variable)`)
  expect(report.stdout + report.stderr).not.toMatch(/cret77/)

  const refused = await doctor({ ...env, HTTPS_PROXY: `corp:wrong@${name}` })
  expect(lineOf(refused, 'service')).toMatch(/^FAILED .*refused the username and password/)
  expect(proxy.logins.filter((each) => each === 'corp:wrong')).toHaveLength(1)
  const strange = await doctor({ ...env, HTTPS_PROXY: 'ftp://corp:Se/cret77@proxy.test' })
  expect(strange.stdout).toContain('The value of HTTPS_PROXY is invalid')
  expect(strange.stdout + strange.stderr).not.toMatch(/cret77/)
})

it('`latchkey policy check FILE` and `latchkey doctor --log` work without the app', async () => {
  const { desk, latchkey } = await doctorsDesk()
  const file = path.join(desk.home, 'my policy=1.json')
  writeFileSync(file, '{\n  "agent": "false"\n}')
  await expect(latchkey(['policy', 'check', file])).resolves.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/WRONG {2}The value of agent \(.*my policy=1\.json, line 2\).*\n {2}agent: false\n/s),
  })
  writeFileSync(file, '{"agent": false}')
  await expect(latchkey(['policy', 'check', file])).resolves.toMatchObject({ code: 0 })
  const app = await desk.start()
  await app.quit()
  await expect(latchkey(['doctor', '--log'])).resolves.toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^~?.*latchkey\.log:\n\n.*app\.started/s),
  })
})
