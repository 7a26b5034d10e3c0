/** What every client library must do, tested with the real agent. */
import { chownSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../agent/client.ts'
import { newFolder, PATH } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { ANOTHER_USER, rootOnly } from '../support/systems.ts'
import { Driver, LANGUAGES, type Told } from './languages.ts'
import locations from './locations.json' with { type: 'json' }
import origins from './origins.json' with { type: 'json' }
import { OtherServer } from './other-server.ts'

describe.each(LANGUAGES)('$name', (language) => {
  const { name, tool, ways, hasThreads, canFork, canStream, reusesRequests, prepare } = language
  let prepared: ReturnType<typeof prepare>
  // Most tests share one driver, which takes a second to start.
  let driver: Driver
  beforeAll(() => {
    prepared = prepare()
    driver = startDriver()
  })
  afterAll(() => driver.end())

  let desktop: ToolDesktop
  let otherServer: OtherServer
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    otherServer = new OtherServer()
    await otherServer.start()
  })
  afterEach(() => otherServer.stop())

  const startDriver = () => new Driver(prepared.words, { ...prepared.env, PATH, HOME: '/nowhere' })
  const tell = (order: object): Promise<Told> => driver.tell({ socket: desktop.socket, ...order })
  const token = (options: object = {}) => tell({ do: 'token', ...options })
  const fetch = (via: string, url: string, options: object = {}) => tell({ do: 'fetch', via, url, ...options })

  describe('the library looks for the agent', () => {
    // R can't open named pipes, so on Windows its library runs the `latchkey` command.
    const known = locations.filter(({ platform }) => name !== 'R' || platform !== 'win32')
    test.each(known)('$name', async ({ platform, env, there, expected }) => {
      const { value } = await tell({ do: 'locate', platform, env, there })
      expect(value).toEqual(expected)
    })
  })

  test.each(origins)('the origin of %j is %j', async (url, expected) => {
    expect(await tell({ do: 'origin', url })).toEqual({ value: expected })
  })

  test('a token is the session’s current one, lives as long as requested, and Latchkey lists the program', async () => {
    desktop.session.hold(TOKEN, 150_000)
    desktop.staging.hold('staging-token')
    expect(await token({ min_validity: 100 })).toEqual({ value: TOKEN })
    expect(desktop.tools).toEqual([tool])
    expect(await token({ min_validity: 200 })).toEqual({ value: `${TOKEN}.1` })
    expect(await token({ connection: 'staging' })).toEqual({ value: 'staging-token' })
    if (hasThreads) expect(await tell({ do: 'in_threads', count: 20 })).toEqual({ value: Array(20).fill(`${TOKEN}.1`) })
    if (canFork) {
      const { value } = await tell({ do: 'after_fork', count: 3 })
      expect(new Set(value as string[])).toEqual(new Set([`${TOKEN}.1`]))
    }
  })

  test('a token is replaced only once, even if the program reports twice that the service rejected it', async () => {
    const order = { do: 'rejected', token: TOKEN }
    expect(await tell(order)).toEqual({ value: `${TOKEN}.1` })
    expect(await tell(order)).toEqual({ value: `${TOKEN}.1` })
    expect(desktop.session.refreshes).toBe(1)
  })

  test('a token isn’t returned by the library if it contains a line break', async () => {
    desktop.session.hold('a\r\nX-Header: y')
    expect(await token()).toMatchObject({ code: 'unexpected_answer' })
  })

  test('all calls succeed while Latchkey restarts', async () => {
    const loop = tell({ do: 'loop', seconds: 4 })
    for (let restart = 0; restart < 3; restart++) {
      await sleep(600)
      await desktop.stopAgent()
      await sleep(300)
      await desktop.startAgent()
    }
    const { done, failed } = (await loop).value as { done: number; failed: string[] }
    expect(failed).toEqual([])
    expect(done).toBeGreaterThan(3)
  })

  describe('a call that waits', () => {
    const isWaiting = () => until(() => desktop.waiting.includes(tool))

    test('gets its token when the user signs in, even if Latchkey starts and restarts meanwhile', async () => {
      desktop.session.signOut()
      await desktop.stopAgent()
      const asked = token({ wait: true })
      await sleep(300)
      for (let start = 0; start < 2; start++) {
        await desktop.startAgent()
        await isWaiting()
        await desktop.stopAgent()
      }
      await desktop.startAgent()
      await isWaiting()
      desktop.session.hold(TOKEN)
      expect(await asked).toEqual({ value: TOKEN })
    })

    test('waits if the current token expires too soon, but accepts a new one with a shorter lifetime than requested', async () => {
      desktop.session.end(40_000)
      const asked = token({ wait: true })
      await isWaiting()
      desktop.session.hold('another')
      expect(await asked).toEqual({ value: 'another' })
      expect(await token({ wait: true, min_validity: 600 })).toEqual({ value: 'another' })
    })

    test('fails if nobody signs in within the time to wait, and at once if it can’t get a token by waiting', async () => {
      desktop.session.signOut()
      expect(await token({ wait: 1 })).toMatchObject({ code: 'signed_out' })
      const asked = token({ wait: 3_600 })
      await isWaiting()
      await desktop.turnOffAgent('user')
      expect(await asked).toMatchObject({ code: 'turned_off' })
      await desktop.startAgent()
      expect(await token({ wait: 3_600, connection: 'nowhere' })).toMatchObject({ code: 'unknown_connection' })
    })

    test.each(ways)(
      'waits for a sign-in before it sends a request with %s, and for another token if the service rejects the first',
      async (via) => {
        desktop.session.signOut()
        const first = fetch(via, desktop.dataUrl, { wait: 3_600 })
        await isWaiting()
        desktop.session.hold(TOKEN)
        expect(await first).toEqual({ value: 200 })
        desktop.refused = TOKEN
        desktop.session.failsToRefresh = true
        const second = fetch(via, desktop.dataUrl, { wait: 3_600 })
        await isWaiting()
        desktop.session.hold('another')
        expect(await second).toEqual({ value: 200 })
        expect(desktop.answers).toEqual([200, 401, 200])
      },
    )
  })

  // A program's first call fails only after five seconds, so these tests run at the same time.
  describe.concurrent('if nothing answers', () => {
    test.each<[string, number | 'no folder' | undefined, RegExp]>([
      ['not_running', undefined, /^Latchkey isn't running\. Start it and sign in\. \(No answer at .*agent\.sock\.\)$/],
      [
        'not_reachable',
        process.pid,
        /^Latchkey is running, but its agent doesn't answer\. Latchkey's window says why\./,
      ],
      // The lock of a killed Latchkey stays, and names a process that no longer exists.
      ['not_running', 999_999_999, /^Latchkey isn't running\. Start it/],
      ['not_reachable', 'no folder', /^Latchkey isn't running, or can't be reached\. Start Latchkey\./],
    ])('the error is %s if the lock names process %s', async (code, pid, sentence) => {
      const { folder, remove } = newFolder()
      if (typeof pid === 'number') symlinkSync(`this-desktop-${pid}`, path.join(folder, 'SingletonLock'))
      const first = startDriver()
      const socket = path.join(pid === 'no folder' ? '/nowhere' : folder, 'agent.sock')
      const told = await first.tell({ do: 'token', socket })
      first.end()
      remove()
      expect(told).toMatchObject({ code, message: expect.stringMatching(sentence) })
    })
  })

  describe('a failure', () => {
    test('says who has turned the agent off, and the call fails at once', { timeout: 45_000 }, async () => {
      await token()
      await desktop.turnOffAgent('administrator')
      const told = { code: 'turned_off', message: expect.stringContaining('Turned off by your administrator') }
      expect(await token()).toEqual(told)
      // If the library took the failure for a restart of Latchkey, these calls would take longer than the test may.
      expect(await tell({ do: 'rejected', token: TOKEN })).toEqual(told)
    })

    test.each(['socket', 'folder'])(
      'SECURITY: nothing is sent to a socket if its %s belongs to another user',
      rootOnly(ANOTHER_USER),
      async (what) => {
        chownSync(what === 'socket' ? desktop.socket : path.dirname(desktop.socket), 65_534, 65_534)
        expect(await token()).toMatchObject({ code: 'not_own' })
        expect(desktop.tools).toEqual([])
      },
    )
  })

  describe.each(ways)('a request with %s', (via) => {
    test('to the service has the token, even if it is redirected within the service', async () => {
      expect(await fetch(via, desktop.dataUrl)).toEqual({ value: 200 })
      desktop.movedTo = desktop.dataUrl
      expect(await fetch(via, new URL('/moved', desktop.dataUrl).href)).toEqual({ value: 200 })
      expect([desktop.answers, desktop.lastToken, desktop.tools]).toEqual([[200, 307, 200], TOKEN, [tool]])
    })

    test('SECURITY: a request to an unknown host is refused, and the error names the connection for the host', async () => {
      const told = { code: 'foreign_host', message: expect.stringContaining(otherServer.url) }
      expect(await fetch(via, otherServer.url)).toMatchObject(told)
      desktop.stagingAddress = otherServer.url
      const { message } = await fetch(via, otherServer.url)
      expect(message).toMatch(/connection ?[=:] ?["']staging["']/)
      expect(otherServer.shown).toEqual([])
    })

    test('to a host in `hosts` has the token, whatever path the entry in `hosts` has', async () => {
      expect(await fetch(via, `${otherServer.url}/a`, { hosts: [`${otherServer.url}/b/`] })).toEqual({ value: 200 })
      expect(otherServer.shown).toEqual([`Bearer ${TOKEN}`])
      expect(await fetch(via, desktop.dataUrl, { hosts: [otherServer.url] })).toEqual({ value: 200 })
    })

    test('SECURITY: `hosts` refuses an unencrypted or invalid address without showing its password', async () => {
      for (const address of ['http://ana:hunter2@data.example.com', 'data.example.com', 'https://ana:hunter2@[']) {
        const told = await fetch(via, desktop.dataUrl, { hosts: [address] })
        expect([told.code === undefined, told.value]).toEqual([false, undefined])
        expect(JSON.stringify(told)).not.toContain('hunter2')
      }
      expect(desktop.answers).toEqual([])
    })

    test.each(['unknown', 'named in `hosts`'])(
      'SECURITY: a redirect to another host (%s) carries no token, and a 401 there causes no refresh',
      async (which) => {
        desktop.movedTo = `${otherServer.url}/there`
        const hosts = which === 'unknown' ? {} : { hosts: [otherServer.url] }
        expect(await fetch(via, new URL('/moved', desktop.dataUrl).href, hosts)).toEqual({ value: 401 })
        expect(otherServer.shown).toEqual(['none'])
        expect(desktop.session.refreshes).toBe(0)
      },
    )

    test('that is refused with 401 is repeated once, with another token and the same body', async () => {
      desktop.refused = TOKEN
      expect(await fetch(via, desktop.dataUrl, { method: 'POST', body: 'two\nlines' })).toEqual({ value: 200 })
      expect([desktop.answers, desktop.session.refreshes]).toEqual([[401, 200], 1])
      expect([desktop.lastToken, desktop.lastBody]).toEqual([`${TOKEN}.1`, 'two\nlines'])
      desktop.refusesAll = true
      expect(await fetch(via, desktop.dataUrl)).toEqual({ value: 401 })
      expect(desktop.answers).toEqual([401, 200, 401, 401])
    })

    if (canStream) {
      test('whose body can’t be sent again is sent once, and its token is reported as rejected', async () => {
        desktop.refused = TOKEN
        expect(await fetch(via, desktop.dataUrl, { method: 'POST', body: 'stream' })).toEqual({ value: 401 })
        expect([desktop.answers, desktop.lastBody]).toEqual([[401], 'ab'])
        expect(desktop.session.refreshes).toBe(1)
        expect(await fetch(via, desktop.dataUrl)).toEqual({ value: 200 })
      })
    }

    test('with a very long token ends with the service’s 401 if Latchkey has no other token', async () => {
      desktop.session.hold(`${TOKEN}${'x'.repeat(200_000)}`)
      desktop.refusesAll = true
      desktop.session.failsToRefresh = true
      expect(await fetch(via, desktop.dataUrl)).toEqual({ value: 401 })
      expect([desktop.answers, desktop.session.refreshes]).toEqual([[401], 1])
    })

    test('SECURITY: a library’s request to localhost goes to 127.0.0.1, as Latchkey’s own requests do', async () => {
      const { port } = new URL(desktop.dataUrl)
      const stranger = new OtherServer()
      await stranger.start('::1', Number(port))
      const local = `http://localhost:${port}`
      expect(await fetch(via, `${local}/tables`, { hosts: [local] })).toEqual({ value: 200 })
      // Capital letters and a final dot make no difference, so both names mean localhost.
      for (const url of [`http://LOCALHOST:${port}/`, `http://localhost.:${port}/`])
        await fetch(via, url, { hosts: [local] })
      desktop.movedTo = `${local}/tables`
      await fetch(via, `${local}/moved`, { hosts: [local] })
      await stranger.stop()
      expect(stranger.shown.filter((shown) => shown !== 'none')).toEqual([])
    })
  })

  if (reusesRequests) {
    test('SECURITY: a request object that is used again for an unknown host is refused', async () => {
      const links = { first: desktop.dataUrl, second: otherServer.url }
      expect(await tell({ do: 'follow_link', ...links })).toMatchObject({ code: 'foreign_host' })
      expect([desktop.answers, otherServer.shown]).toEqual([[200], []])
    })
  }
})
