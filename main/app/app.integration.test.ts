import path from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import { type DemoService, startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { ask } from '../../test/agent/client.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { loadTexts } from '../../text/index.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import type { SecretStore } from '../session/ports.ts'
import { writeClientSecret } from '../settings/connection-settings.ts'
import { parsePolicy } from '../settings/policy.ts'
import { type App, type AppPorts, createApp } from './app.ts'

let features: ReturnType<typeof import('./create-features.ts').createFeatures>
vi.mock('./create-features.ts', async (load) => {
  const { createFeatures } = await load<typeof import('./create-features.ts')>()
  return {
    createFeatures: (...given: Parameters<typeof createFeatures>) => {
      features = createFeatures(...given)
      return features
    },
  }
})

type SurfacePorts = Parameters<AppPorts['createSurfaces']>[0]

const SIGN_IN = { grant: 'password', username: ANA.username, password: ANA.password } as const

let folder: string
let service: DemoService
let settings: Map<string, unknown>
let told: string[]
let running: App[]
let time: ManualTime

beforeEach(async () => {
  folder = temporaryFolder()
  service = await startDemoService()
  settings = new Map<string, unknown>([['connection', { baseAddress: service.address }]])
  told = []
  running = []
  time = new ManualTime()
})

afterEach(async () => {
  // Stopping may wait for a timeout, so the test moves its clock.
  const stopped = Promise.all(running.map((app) => app.stop()))
  await time.passSettling(20_000)
  await stopped
  await service.stop()
})

/** Confirms after a second, because the dialog treats an earlier click as an accident. */
const confirmed = async () => {
  time.pass(1_000)
  return true
}

async function buildApp(changes: Partial<AppPorts> = {}) {
  let surfacePorts: SurfacePorts | undefined
  // The agent of an earlier test may still be stopping, so each app has its own list.
  const own = told
  const event = (name: string) => void own.push(name)
  const surface = (name: string) => ({ start: () => event(`start ${name}`), stop: () => event(`stop ${name}`) })
  const app = createApp({
    platform: 'linux',
    env: {},
    version: '1.2.3',
    clock: new DeadlineClock(systemTime),
    paths: {
      dataFolder: folder,
      installation: 'here',
      settingsFile: path.join(folder, 'config.json'),
      policyFile: path.join(folder, 'policy.json'),
      logDir: folder,
      agentEndpoint: { kind: 'socket', path: path.join(folder, 'agent.sock') },
    },
    policyPlaces: [],
    environment: { layer: {}, app: {}, problems: [] },
    store: { get: (key) => settings.get(key), set: (key, value) => void settings.set(key, value) },
    storeProblems: [],
    systemKeychain: systemKeychain(),
    resolveProxy: async () => 'DIRECT',
    askTrayHost: async () => 'unknown',
    confirmDestination: async () => true,
    texts: await loadTexts('en'),
    log: { folder, info: event, warn: event, error: event, tail: async () => [] },
    report: (where, error) => void told.push(`${where} failed: ${(error as Error).message}`),
    createSurfaces: (ports) => {
      surfacePorts = ports
      return {
        parts: { ipc: surface('ipc'), tray: surface('tray') },
        window: { show: () => event('show window'), shown: async () => {} },
        tray: { watchPanel: () => event('watch panel') },
      }
    },
    isWindowWanted: () => true,
    openBrowser: async () => OK,
    systemClipboard: { readText: () => '', writeText: () => {}, clear: () => {} },
    watchWake: () => {
      event('start wake')
      return () => event('stop wake')
    },
    updater: { plan: () => ({ kind: 'off', reason: 'packageManager' }) },
    isSandboxed: true,
    uid: process.getuid?.(),
    ...changes,
  } as AppPorts)
  running.push(app)
  if (surfacePorts === undefined) throw new Error('no surfaces were made')
  const { views, handlers, navigation } = surfacePorts
  return { app, views, handlers, navigation }
}

const systemKeychain = (): AppPorts['systemKeychain'] => ({
  open: async () => ({
    store: new MemoryStore(),
    // A start writes no trial entry.
    probe: () => Promise.reject(new Error('tried')),
    state: { kind: 'unlocked' },
    busy: () => false,
    allowPrompts: () => {},
  }),
  watch: () => () => {},
  stop: () => void told.push('stop keychain'),
  isInProcess: false,
})

it('the app starts its phases and every feature, and stops them all, the phases in reverse order', async () => {
  const { app } = await buildApp()
  const parts = Object.values<Partial<Record<'start' | 'stop', () => unknown>>>(features.parts)
  const spiesOn = (step: 'start' | 'stop') => parts.filter((part) => part[step]).map((part) => vi.spyOn(part, step))
  const [starts, stops] = [spiesOn('start'), spiesOn('stop')]
  expect(told).toEqual([])
  await app.start()
  await expect.poll(() => told).toEqual(expect.arrayContaining(['keychain.opened', 'agent.started']))
  const started = ['app.started', 'start ipc', 'start tray', 'show window', 'start wake', 'watch panel']
  // The agent starts at the same time as the other parts, so its log entry can come at any point.
  expect(told.filter((each) => each !== 'agent.started')).toEqual([...started, 'keychain.opened'])
  for (const start of starts) expect(start).toHaveBeenCalledOnce()
  told.length = 0
  // SECURITY: a copied token must be gone even if stopping the other parts takes too long.
  vi.spyOn(features.parts.clipboard, 'stop').mockImplementationOnce(async () => void told.push('clear'))
  await app.stop()
  expect(told).toEqual(['clear', 'stop wake', 'agent.stopped', 'stop tray', 'stop ipc', 'stop keychain', 'app.stopped'])
  for (const stop of stops) expect(stop).toHaveBeenCalledOnce()
})

it('after every call of the page, and when the wall clock is set, the surfaces get the current view', async () => {
  const other = await startDemoService()
  onTestFinished(() => other.stop())
  settings.set('lastSignIns', { [service.address]: { username: { nobody: true } } })
  let isEnabled = false
  const { app, views, handlers, navigation } = await buildApp({
    clock: new DeadlineClock(time),
    env: { HTTPS_PROXY: 'gopher://proxy' },
    confirmDestination: confirmed,
    systemLoginItem: {
      isEnabled: () => isEnabled,
      set: (enabled) => {
        isEnabled = enabled
      },
      refresh: () => {},
    },
    saveText: async (_, { onSaved }) => {
      onSaved(path.join(folder, 'diagnostics.txt'))
      return OK
    },
  })
  let last: AppView | undefined
  let delivered = 0
  views.subscribe((view) => {
    last = view
    delivered += 1
  })
  const during = async (name: string, work: () => unknown) => {
    await work()
    await settle()
    expect(last, name).toEqual(features.view())
  }
  const succeed = async (call: Promise<Outcome<unknown>>) => expect(await call).toEqual(OK)
  await during('start', async () => {
    const started = app.start()
    await time.passSettling(10_000)
    await started
  })
  expect(last?.notices).toEqual([expect.stringContaining('HTTPS_PROXY')])
  expect(last).not.toHaveProperty('lastSignIn')
  await during('sign-in', () => succeed(handlers.signIn(SIGN_IN)))
  await during('token for a tool', async () => {
    await ask(path.join(folder, 'agent.sock'), '/v1/token')
    await time.passSettling(1_000)
  })
  expect(last).toMatchObject({ lastSignIn: { username: ANA.username }, agent: { uses: [{ count: 1 }] } })
  await during('refresh', () => succeed(handlers.refreshNow(undefined)))
  await during('copy', () => succeed(handlers.copyToken(undefined)))
  await during('sign-out', () => succeed(handlers.signOut(undefined)))
  expect(last).toMatchObject({ session: { kind: 'signedOut' }, agent: { uses: [] } })
  await during('failed sign-in', () => handlers.signIn({ ...SIGN_IN, password: 'wrong' }))
  await during('new connection', () => succeed(handlers.addConnection({ name: 'other', baseAddress: other.address })))
  await during('first connection', () => succeed(handlers.showConnection({ name: 'default' })))
  await during('settings', () => succeed(handlers.saveSettings({ displayName: 'Data' })))
  await during('another address', () => succeed(handlers.saveSettings({ baseAddress: 'http://127.0.0.1:1' })))
  await during('removal', () => succeed(handlers.removeConnection({ name: 'other' })))
  for (const enabled of [false, true]) {
    await during('agent', () => succeed(handlers.setSwitch({ name: 'agent', enabled })))
    await during('start at login', () => succeed(handlers.setSwitch({ name: 'startAtLogin', enabled })))
  }
  await during('navigation', () => navigation.request('settings'))
  await during('diagnostics', () => succeed(handlers.saveDiagnostics(undefined)))
  const before = delivered
  time.wallTime -= 3_600_000
  await time.passSettling(60_000)
  expect(delivered).toBeGreaterThan(before)
})

it('SECURITY: the user can’t copy a token while the policy forbids the agent', async () => {
  const read = () => parsePolicy('policy.json', '{"agent": false}')
  const { app, handlers } = await buildApp({ policyPlaces: [{ where: 'policy.json', read }] })
  await app.start()
  await handlers.signIn(SIGN_IN)
  expect(await handlers.copyToken(undefined)).toMatchObject({ ok: false })
  await app.stop()
})

it('SECURITY: after the data address was changed, the next token that a tool requests comes with the new address', async () => {
  const { app, handlers } = await buildApp({ clock: new DeadlineClock(time), confirmDestination: confirmed })
  await app.start()
  await handlers.signIn(SIGN_IN)
  const origin = async () => JSON.parse((await ask(path.join(folder, 'agent.sock'), '/v1/token')).body).origin
  await expect.poll(origin).toBe(service.address)
  expect(await handlers.saveSettings({ dataAddress: 'https://data.example' })).toEqual(OK)
  expect(await origin()).toBe('https://data.example')
})

it('a session and a client secret that the keychain has lost are stored again, even while the app quits', async () => {
  let entries = new MemoryStore()
  const reads: string[] = []
  const store: SecretStore = {
    persistence: 'keychain',
    read: (name) => {
      reads.push(name)
      return entries.read(name)
    },
    write: (name, value) => entries.write(name, value),
    delete: (name) => entries.delete(name),
  }
  await writeClientSecret(store, service.address, { secret: clientSecret('hush') })
  let reportLoss = () => {}
  const usual = systemKeychain()
  const { app, handlers } = await buildApp({
    systemKeychain: {
      ...usual,
      open: async () => ({ ...(await usual.open(() => true)), store }),
      watch: (lost) => {
        reportLoss = lost
        return lost
      },
    },
  })
  await app.start()
  await handlers.signIn(SIGN_IN)
  await expect.poll(() => reads).toContain(`${service.address} client secret`)
  await expect.poll(() => [...entries.held.keys()]).toHaveLength(2)
  const before = new Map(entries.held)

  entries = new MemoryStore()
  reportLoss()
  await expect.poll(() => new Map(entries.held)).toEqual(before)

  // The watch reports this loss when it ends.
  entries = new MemoryStore()
  await app.stop()
  expect(new Map(entries.held)).toEqual(before)
})

it('if the keychain hangs, background work starts after 2 s, and the app stops within 10 s', async () => {
  const { app } = await buildApp({
    clock: new DeadlineClock(time),
    // The agent's socket would need real time.
    store: { get: (key) => (key === 'agent' ? false : settings.get(key)), set: () => {} },
    systemKeychain: { ...systemKeychain(), open: () => new Promise(() => {}) },
  })
  void app.start()
  await time.passSettling(1_999)
  expect(told).toContain('start wake')
  expect(told).not.toContain('watch panel')
  await time.passSettling(1)
  expect(told).toContain('watch panel')
  let isStopped = false
  void app.stop().then(() => {
    isStopped = true
  })
  await time.passSettling(9_999)
  expect(isStopped).toBe(false)
  await time.passSettling(100)
  expect(isStopped).toBe(true)
  expect(told.slice(-4)).toEqual(['stop tray', 'stop ipc', 'stop keychain', 'app.stopped'])
})
