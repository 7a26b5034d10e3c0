/** Debian's glewlwyd on 127.0.0.1, with its OpenID Connect plugin as its administration page sets it up. */
import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../keyring/programs.ts'
import { freePort } from './local-servers.ts'

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const PAGES = '/usr/share/glewlwyd/webapp'
const CONFIG = '/etc/glewlwyd/glewlwyd.conf'
/** The schema creates this account (glewlwyd: docs/GETTING_STARTED.md). */
const ADMINISTRATOR = { username: 'admin', password: 'password' }

/** What the administration page sends for a new plugin (glewlwyd: webapp-src/src/Admin/GlwdOIDCParams.js), in part. */
const PLUGIN_DEFAULTS = {
  'jwt-type': 'rsa',
  'jwt-key-size': '256',
  'access-token-duration': 3600,
  'refresh-token-duration': 1_209_600,
  'code-duration': 600,
  'refresh-token-rolling': true,
  'refresh-token-one-use': 'client-driven',
  'client-refresh-token-one-use-public-client': true,
  'auth-type-code-enabled': true,
  'auth-type-refresh-enabled': true,
  'secret-type': 'pairwise',
  'allowed-scope': ['openid'],
  'pkce-allowed': true,
  'pkce-required-public-client': true,
}

const PERSON = { username: 'ana', password: 'quiet harbour lamp' }

export type Glewlwyd = Awaited<ReturnType<typeof startGlewlwyd>>

/** @param redirectUriOf returns the redirect address to register for an issuer. */
export async function startGlewlwyd(redirectUriOf: (issuer: string) => string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-glewlwyd-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const database = path.join(folder, 'glewlwyd.db')
  const create = 'import sqlite3,sys;sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())'
  execFileSync('python3', ['-c', create, database, SCHEMA])
  const config = path.join(folder, 'glewlwyd.conf')
  const shipped = readFileSync(CONFIG, 'utf8')
    .replace(/^port=.*/m, `port=${port}\nbind_address="127.0.0.1"`)
    .replace(/^external_url=.*/m, `external_url="${origin}"`)
    .replace(/^log_mode=.*/m, 'log_mode="console"')
    .replace(/^@include.*/m, `database = { type = "sqlite3" path = "${database}" };`)
  // In Debian's package, `config.json` is a folder that contains the file, so glewlwyd's own pages can't read it.
  const pages = path.join(folder, 'webapp')
  cpSync(PAGES, pages, {
    recursive: true,
    dereference: true,
    filter: (file) => !file.startsWith(`${PAGES}/config.json`),
  })
  cpSync(path.join(PAGES, 'config.json', 'config.json'), path.join(pages, 'config.json'))
  writeFileSync(config, `${shipped}\nstatic_files_path="${pages}/"\n`)
  const child = spawn('glewlwyd', ['-c', config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }

  const issuer = `${origin}/api/oidc`
  // Form-encoding changes some characters of this secret.
  const secret = 'only for tests'
  const json = { 'content-type': 'application/json' }
  try {
    const isReady = () => fetch(`${origin}/api/`).then(() => true)
    await until(isReady, () => 'glewlwyd did not start')
    const body = JSON.stringify(ADMINISTRATOR)
    const login = await fetch(`${origin}/api/auth/`, { method: 'POST', headers: json, body })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const create = async (what: string, content: object) => {
      const options = { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify(content) }
      const response = await fetch(`${origin}/api/${what}/`, options)
      if (!response.ok) throw new Error(`glewlwyd: ${what}: ${response.status} ${await response.text()}`)
    }
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const parameters = { ...PLUGIN_DEFAULTS, iss: issuer, key: privateKey, cert: publicKey }
    await create('mod/plugin', { module: 'oidc', name: 'oidc', display_name: 'OIDC', enabled: true, parameters })
    const client = {
      enabled: true,
      redirect_uri: [redirectUriOf(issuer)],
      authorization_type: ['code', 'refresh_token'],
      scope: [],
    }
    await create('client', { ...client, client_id: 'public', name: 'Latchkey', confidential: false })
    const confidential = { confidential: true, password: secret, token_endpoint_auth_method: ['client_secret_basic'] }
    await create('client', { ...client, ...confidential, client_id: 'confidential', name: 'Latchkey' })
    await create('user', { ...PERSON, name: 'Ana Duarte', scope: ['openid'], enabled: true })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    issuer,
    publicClient: 'public',
    confidential: { clientId: 'confidential', secret },
    signIn,
    endSessions: (page: Page) => endSessions(page, issuer),
    stop,
  }
}

/** Ends all sessions (glewlwyd: docs/OIDC.md, "Manage refresh tokens endpoints"). */
async function endSessions(page: Page, issuer: string): Promise<void> {
  const listed = await page.request.get(`${issuer}/token`)
  const tokens: readonly { readonly token_hash: string }[] = await listed.json()
  if (tokens.length === 0) throw new Error('glewlwyd lists no session')
  for (const { token_hash } of tokens) {
    const deleted = await page.request.delete(`${issuer}/token/${encodeURIComponent(token_hash)}`)
    if (!deleted.ok()) throw new Error(`glewlwyd: ${deleted.status()}`)
  }
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#username').fill(PERSON.username)
  await page.locator('#password').fill(PERSON.password)
  await page.locator('#loginbut').click()
  await page.getByRole('button', { name: 'Grant access' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
