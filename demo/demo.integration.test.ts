import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserAuthorizationServer } from '../main/service/authorization-server.ts'
import { testClient } from '../test/support/local-servers.ts'
import { PROVIDER_USERS } from './identity-provider.ts'
import { DEMO_CODES } from './second-factor.ts'
import { bearer, login, post, refresh, send } from './test-client.ts'
import { ANA } from './users.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const started: ChildProcess[] = []
let folder: string
let command: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'))
  command = join(folder, 'demo.mjs')
  await build({
    configFile: false,
    root: here,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: 'demo.ts',
      outDir: folder,
      target: 'node20',
      rollupOptions: { output: { format: 'es', entryFileNames: 'demo.mjs' } },
    },
  })
})

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts the command and reads its output up to the line with the service's address. */
async function start() {
  const child = spawn(process.execPath, [command])
  started.push(child)
  return { child, ...(await readPrinted(child)) }
}

async function readPrinted(child: ChildProcess) {
  const printed: Record<string, string> = {}
  let text = ''
  if (!child.stdout) throw new Error('nothing to read from')
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`
    const [, name, value] = /^(LATCHKEY_\w+)=(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) printed[name] = value
    if (name === 'LATCHKEY_BASE_URL') break
  }
  return { text, printed, address: printed['LATCHKEY_BASE_URL'] ?? '' }
}

const gone = async (child: ChildProcess) => (child.exitCode === null ? (await once(child, 'exit'))[0] : child.exitCode)

/** A token request for this user, with ana's password and the settings that the demo prints. */
const ssoBody = (printed: Readonly<Record<string, string>>, username: string) => ({
  username,
  password: ANA.password,
  grant_type: `http://${printed['LATCHKEY_SSO_PROVIDER_DOMAIN']}/oauth/grant-type/password-realm`,
  realm: printed['LATCHKEY_SSO_REALM'],
  scope: printed['LATCHKEY_SSO_SCOPE'],
  audience: printed['LATCHKEY_SSO_AUDIENCE'],
  client_id: printed['LATCHKEY_SSO_CLIENT_ID'],
  client_secret: printed['LATCHKEY_SSO_CLIENT_SECRET'],
})

test('the printed addresses, credentials and settings of single sign-on all work', async () => {
  const { text, printed, address } = await start()
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(text).toContain(`Username         ${ANA.username}\n`)
  expect(text).toContain(`Password         ${ANA.password}\n`)
  const { status: signedIn, json } = await login(address, ANA.username, ANA.password)
  expect(signedIn).toBe(200)
  const [staging = ''] = /(?<=several connections:\n {4})\S+/.exec(text) ?? []
  expect((await login(staging, ANA.username, ANA.password)).status).toBe(200)
  // The first service's address is managed, so only with this setting can users add the second service.
  expect(printed['LATCHKEY_USER_CONNECTIONS']).toBe('true')
  expect((await refresh(staging, json.refreshToken)).status).toBe(401)
  const [data = ''] = /http\S+\/v1\/tables$/m.exec(text) ?? []
  expect((await send(data, '', { headers: bearer(json.token) })).json).toHaveLength(4)
  const sso = await post(printed['LATCHKEY_AUTH_URL'] ?? '', '/oauth/token', ssoBody(printed, ANA.username))
  expect(sso.status).toBe(200)
  expect((await send(data, '', { headers: bearer(sso.json.access_token) })).json).toHaveLength(4)
})

test('the printed users and codes work for the second factor, and both flows of single sign-on work', async () => {
  const { text, printed } = await start()
  for (const { username, secondFactor } of PROVIDER_USERS) {
    if (secondFactor !== undefined) expect(text).toContain(`\n    ${username}: `)
  }
  for (const code of Object.values(DEMO_CODES)) expect(text).toContain(code)
  const address = printed['LATCHKEY_AUTH_URL'] ?? ''
  const body = ssoBody(printed, 'ana.app')
  expect((await post(address, '/oauth/token', body)).json).toMatchObject({ error: 'mfa_required' })

  expect(text).toContain('LATCHKEY_SSO_FLOW=browser npm start')
  const begun = await new BrowserAuthorizationServer({
    authAddress: address,
    clientId: printed['LATCHKEY_SSO_CLIENT_ID'] ?? '',
    scope: printed['LATCHKEY_SSO_SCOPE'] ?? '',
    http: testClient(),
  }).authorize('http://127.0.0.1:4711/callback/127.0.0.1:5000')
  if (!begun.ok) throw new Error(JSON.stringify(begun.failure))
  const form = new URLSearchParams({ username: ANA.username, password: ANA.password })
  const { headers } = await fetch(begun.value.address, { method: 'POST', body: form, redirect: 'manual' })
  const callback = new URL(headers.get('location') ?? '').searchParams
  expect(await begun.value.redeem(callback)).toMatchObject({ ok: true })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops the demo', async (signal) => {
  const { child, address } = await start()
  child.kill(signal)
  expect(await gone(child)).toBe(0)
  await expect(login(address, ANA.username, ANA.password)).rejects.toThrow()
})

test('runs without standard input, and ends when its parent process is killed', async () => {
  const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(command)}],
    { stdio: ['ignore', 'inherit', 'inherit'] }); setInterval(() => {}, 1e6)`
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(starter)
  const { address } = await readPrinted(starter)
  expect((await login(address, ANA.username, ANA.password)).status).toBe(200)
  starter.kill('SIGKILL')
  await expect
    .poll(
      () =>
        login(address, ANA.username, ANA.password).then(
          () => 'serves',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone')
})
