/** Debian's LemonLDAP::NG on 127.0.0.1, as an OpenID Connect provider. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { freePort, type RealProvider, type RealProviderOptions, untilAnswered } from './provider.ts'

const SHIPPED = '/var/lib/lemonldap-ng/conf/lmConf-1.json'
const INI = '/etc/lemonldap-ng/lemonldap-ng.ini'
/** What the web server in front of the portal serves (LemonLDAP::NG: portal-nginx.conf). */
const APP = `use Plack::Builder; use Plack::App::File;
builder {
  mount '/static' => Plack::App::File->new(root => '/usr/share/lemonldap-ng/portal/htdocs/static')->to_app;
  mount '/javascript' => Plack::App::File->new(root => '/usr/share/javascript')->to_app;
  mount '/' => do '/usr/share/lemonldap-ng/portal/htdocs/index.psgi';
};
`
/** An account of the demonstration backend, which the package enables (LemonLDAP::NG: Auth/Demo.pm). */
const PERSON = { username: 'rtyler', password: 'rtyler' }

export async function startLemonldap({ redirectUriOf, plugin = {} }: RealProviderOptions): Promise<RealProvider> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-lemonldap-'))
  for (const each of ['conf', 'sessions/lock', 'psessions/lock', 'cache']) {
    mkdirSync(path.join(folder, each), { recursive: true })
  }
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}/`
  const redirectUri = redirectUriOf(issuer.replace(/\/$/, ''))
  const ini = path.join(folder, 'lemonldap-ng.ini')
  writeFileSync(ini, readFileSync(INI, 'utf8').replaceAll('/var/lib/lemonldap-ng/', `${folder}/`))
  writeFileSync(
    path.join(folder, 'conf', 'lmConf-1.json'),
    JSON.stringify(configuration(folder, issuer, redirectUri, plugin)),
  )
  const app = path.join(folder, 'app.psgi')
  writeFileSync(app, APP)
  const server = [
    '-s',
    'Starman',
    '--workers',
    '4',
    '-E',
    'deployment',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    app,
  ]
  const child = spawn('plackup', server, { stdio: 'ignore', env: { ...process.env, LLNG_DEFAULTCONFFILE: ini } })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await untilAnswered(issuer).catch(async (error) => {
    await stop()
    throw error
  })
  const confidential = { clientId: 'confidential', secret: 'only for tests' }
  /** Does what the command `lemonldap-ng-sessions delete` does: removes the session's file, and empties the cache. */
  const endSessions = async () => {
    for (const each of readdirSync(path.join(folder, 'sessions'), { withFileTypes: true })) {
      if (each.isFile()) rmSync(path.join(folder, 'sessions', each.name))
    }
    rmSync(path.join(folder, 'cache'), { recursive: true })
    mkdirSync(path.join(folder, 'cache'))
  }
  const address = issuer.replace(/\/$/, '')
  return { issuer: address, redirectUri, publicClient: 'public', confidential, signIn, consent, endSessions, stop }
}

function configuration(
  folder: string,
  portal: string,
  redirectUri: string,
  options: Readonly<Record<string, unknown>>,
) {
  const shipped = JSON.parse(readFileSync(SHIPPED, 'utf8'))
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const storage = (name: string) => ({ Directory: `${folder}/${name}`, LockDirectory: `${folder}/${name}/lock` })
  const client = (id: string, own: object) => ({
    oidcRPMetaDataOptionsClientID: id,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsRedirectUris: redirectUri,
    ...own,
    ...options,
  })
  return {
    ...shipped,
    portal,
    domain: '127.0.0.1',
    securedCookie: 0,
    globalStorageOptions: { ...shipped.globalStorageOptions, ...storage('sessions') },
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: storage('psessions'),
    localSessionStorageOptions: { ...shipped.localSessionStorageOptions, cache_root: `${folder}/cache` },
    issuerDBOpenIDConnectActivation: 1,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcRPMetaDataOptions: {
      desktop: client('public', { oidcRPMetaDataOptionsPublic: 1, oidcRPMetaDataOptionsAllowOffline: 1 }),
      secret: client('confidential', {
        oidcRPMetaDataOptionsClientSecret: 'only for tests',
        oidcRPMetaDataOptionsAllowOffline: 1,
      }),
    },
    oidcRPMetaDataExportedVars: {
      desktop: { name: 'cn', preferred_username: 'uid', email: 'mail' },
      secret: { name: 'cn', preferred_username: 'uid', email: 'mail' },
    },
  }
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#userfield').fill(PERSON.username)
  await page.locator('#passwordfield').fill(PERSON.password)
  await page.getByRole('button', { name: 'Connect' }).click()
  await consent(page)
}

/** Consents if the portal asks: it remembers an earlier consent unless the request makes it ask again. */
async function consent(page: Page): Promise<void> {
  const accept = page.getByRole('button', { name: 'Accept' })
  const returned = page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback\//).then(() => false)
  const isAsked = await Promise.race([accept.waitFor().then(() => true), returned])
  if (isAsked) await accept.click()
  returned.catch(() => {})
}
