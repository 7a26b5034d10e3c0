import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bundle } from '../scripts/build.mjs'
import { ANA } from './users.ts'

const started: ChildProcess[] = []
let folder: string
let command: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'))
  command = join(folder, 'demo.mjs')
  await bundle('demo/demo.ts', { outDir: folder })
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function start(args = [command]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  let text = ''
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`
    if (line.startsWith('LATCHKEY_BASE_URL=')) break
  }
  const printed = Object.fromEntries([...text.matchAll(/^LATCHKEY_(\w+)=(.*)$/gm)].map(([, ...entry]) => entry))
  return { child, text, printed }
}

interface Tokens {
  readonly token: string
  readonly access_token: string
}
const bodyOf = async (answer: Promise<Response>) => (await (await answer).json()) as Tokens
const login = (address: string) =>
  fetch(`${address}/auth/login`, { headers: { Authorization: `Basic ${btoa(`${ANA.username}:${ANA.password}`)}` } })

test('the printed addresses, credentials and settings of single sign-on all work', async () => {
  const { text, printed } = await start()
  expect(text).toContain(`Username         ${ANA.username}\n  Password         ${ANA.password}\n`)
  const [staging = ''] = /(?<=several connections:\n {4})\S+/.exec(text) ?? []
  expect((await login(staging)).status).toBe(200)
  const [data = ''] = /http\S+\/v1\/tables$/m.exec(text) ?? []
  const tables = (token: string) => bodyOf(fetch(data, { headers: { Authorization: `Bearer ${token}` } }))
  expect(await tables((await bodyOf(login(printed['BASE_URL'] ?? ''))).token)).toHaveLength(4)

  const singleSignOn = async (username: string) => {
    const body = JSON.stringify({
      username,
      password: ANA.password,
      grant_type: `http://${printed['SSO_PROVIDER_DOMAIN']}/oauth/grant-type/password-realm`,
      realm: printed['SSO_REALM'],
      scope: printed['SSO_SCOPE'],
      audience: printed['SSO_AUDIENCE'],
      client_id: printed['SSO_CLIENT_ID'],
      client_secret: printed['SSO_CLIENT_SECRET'],
    })
    const headers = { 'Content-Type': 'application/json' }
    return bodyOf(fetch(`${printed['AUTH_URL']}/oauth/token`, { method: 'POST', headers, body }))
  }
  expect(await tables((await singleSignOn(ANA.username)).access_token)).toHaveLength(4)
  expect(text).toContain('\n    ana.app: app 246810\n')
  expect(await singleSignOn('ana.app')).toMatchObject({ error: 'mfa_required' })
})

test('a signal stops the demo, and so does the end of its parent process', async () => {
  const { child, printed } = await start()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await expect(login(printed['BASE_URL'] ?? '')).rejects.toThrow()

  const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(command)}],
    { stdio: ['ignore', 'inherit', 'inherit'] }); setInterval(() => {}, 1e6)`
  const orphan = await start(['-e', script])
  const address = orphan.printed['BASE_URL'] ?? ''
  expect((await login(address)).status).toBe(200)
  orphan.child.kill('SIGKILL')
  const isGone = () =>
    login(address).then(
      () => false,
      () => true,
    )
  await expect.poll(isGone).toBe(true)
})
