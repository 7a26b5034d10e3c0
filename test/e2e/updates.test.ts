/** Newer versions, up to the point of installing: the real updater in the real app, against a feed on this machine. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Desk, type DeskApp, openDesk } from '../support/desk.ts'
import { filesUnder } from '../support/leaks.ts'
import { own } from '../support/ordinary-user.ts'

const INSTALLER = Buffer.from('MZ this stands for an installer'.padEnd(4_096, '.'))
const sha512 = (content: Buffer) => createHash('sha512').update(content).digest('base64')

interface Feed {
  readonly version?: string
  readonly sha512?: string
  /** What is sent in place of the installer. */
  readonly sent?: Buffer
  /** What is sent in place of the list of versions. */
  readonly page?: readonly [number, string, string]
}

/** What electron-builder leaves beside a release, on a web server. */
async function startFeed({ version = '99.0.0', sent = INSTALLER, page, ...feed }: Feed): Promise<Served> {
  const asked: string[] = []
  const latest = [
    `version: ${version}`,
    'files:',
    '  - url: Latchkey-setup.exe',
    `    sha512: ${feed.sha512 ?? sha512(INSTALLER)}`,
    `    size: ${INSTALLER.length}`,
    'path: Latchkey-setup.exe',
    `sha512: ${feed.sha512 ?? sha512(INSTALLER)}`,
    "releaseDate: '2026-01-01T00:00:00.000Z'",
    '',
  ].join('\n')
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url.replace(/\?.*/, ''))
    headersSeen.push(JSON.stringify(headers))
    if (url.includes('.yml')) {
      const [status, type, body] = page ?? [200, 'text/yaml', latest]
      response.writeHead(status, { 'Content-Type': type })
      response.end(body)
    } else {
      response.writeHead(200, { 'Content-Length': INSTALLER.length })
      response.write(sent)
      if (sent.length < INSTALLER.length) response.destroy()
      else response.end()
    }
  })
  const headersSeen: string[] = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, headersSeen }
}

interface Served {
  readonly address: string
  readonly asked: readonly string[]
  readonly headersSeen: readonly string[]
}

type Fetched = { readonly version: string | undefined } | { readonly code: string }

/** Has the app's own updater fetch, as on Windows: this system's plan is never to. */
function fetchIn(app: DeskApp, feed: string, config: string): Promise<Fetched> {
  return app.app.evaluate(
    async (electron, [address, file]) => {
      const chunk = `${electron.app.getAppPath()}/out/main/app-updater.cjs`
      const { createAppUpdater } = process.mainModule?.require(chunk) ?? {}
      const updater = createAppUpdater({ platform: 'win32', config: file })
      try {
        return { version: await updater.fetch(address) }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return { code: code ?? message }
      }
    },
    [feed, config] as const,
  )
}

async function openApp(publisher: string[] = []) {
  const desk = await openDesk()
  const config = path.join(desk.home, 'app-update.yml')
  const names = publisher.length === 0 ? '' : `publisherName:\n${publisher.map((name) => `  - ${name}\n`).join('')}`
  writeFileSync(
    config,
    `provider: generic\nurl: https://updates.invalid\nupdaterCacheDirName: latchkey-updater\n${names}`,
  )
  own(config)
  return { desk, config, app: await desk.start() }
}

const installersIn = ({ home }: Desk) => filesUnder(home).filter(({ place }) => place.endsWith('.exe'))

it('a newer version is downloaded whole, and asked for once', async () => {
  const { desk, app, config } = await openApp()
  const feed = await startFeed({})
  await expect(fetchIn(app, feed.address, config)).resolves.toEqual({ version: '99.0.0' })
  expect(installersIn(desk)).toHaveLength(1)
  // The list is named after the system that it runs on.
  expect(feed.asked).toEqual(['/latest-linux.yml', '/Latchkey-setup.exe'])
  expect(feed.headersSeen.join()).not.toMatch(/authorization|cookie|[0-9a-f]{8}-[0-9a-f]{4}/i)
})

const NOTHING_KEPT: readonly (readonly [string, Feed, object])[] = [
  ['the version that runs', { version: '0.1.0' }, { version: undefined }],
  ['an older version', { version: '0.0.9' }, { version: undefined }],
  [
    'another content than the feed promised',
    { sent: Buffer.alloc(INSTALLER.length, 'x') },
    { code: 'ERR_CHECKSUM_MISMATCH' },
  ],
  ['a wrong promise', { sha512: sha512(Buffer.from('other')) }, { code: 'ERR_CHECKSUM_MISMATCH' }],
  ['half of it', { sent: INSTALLER.subarray(0, 100) }, { code: expect.any(String) }],
  ['no feed', { page: [404, 'text/plain', 'not found'] }, { code: expect.any(String) }],
  ['a page of a proxy', { page: [200, 'text/html', '<html>Sign in</html>'] }, { code: expect.any(String) }],
]

it('of a feed that has anything else, nothing is kept', async () => {
  const { desk, app, config } = await openApp()
  for (const [what, feed, outcome] of NOTHING_KEPT) {
    await expect(fetchIn(app, (await startFeed(feed)).address, config), what).resolves.toEqual(outcome)
    expect(installersIn(desk), what).toEqual([])
  }
})

it('SECURITY: an installer whose signature can’t be checked is refused and not kept', async () => {
  const { desk, app, config } = await openApp(['The Latchkey developers'])
  const { address } = await startFeed({})
  await expect(fetchIn(app, address, config)).resolves.toEqual({ code: 'ERR_UPDATER_INVALID_SIGNATURE' })
  expect(installersIn(desk)).toEqual([])
})
