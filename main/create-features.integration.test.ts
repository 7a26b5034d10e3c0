/**
 * Tests that the view is built once per change, and only after the change. Core, sessions, agent and all features are
 * real.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Handlers } from '../contract/calls.ts'
import { OK, type Outcome } from '../contract/failures.ts'
import type { AppView } from '../contract/views.ts'
import { type DemoService, startDemoService } from '../demo/service.ts'
import { ANA, DEMO_USERS } from '../demo/users.ts'
import { ask } from '../test/agent/client.ts'
import { loadTexts } from '../text/index.ts'
import { createConnections, type Engine } from './connections.ts'
import { type Core, createCore } from './core.ts'
import { createFeatures } from './create-features.ts'
import { mergeHandlers, mergeViews } from './features/feature.ts'
import { MemoryStore } from './keychain/memory-store.ts'
import { DeadlineClock } from './session/clock.ts'
import { ManualTime, settle } from './session/testing/manual-time.ts'
import { Changes, ViewStore } from './view-store.ts'

const MINUTE_MS = 60_000
const OTHER_USER = DEMO_USERS.find((user) => user !== ANA) ?? ANA

let folder: string
let service: DemoService
let other: DemoService
let time: ManualTime
let core: Core
let engine: Engine
let features: ReturnType<typeof createFeatures>
let handlers: Handlers
let views: ViewStore<AppView>
let builds: number
/** Called at each announcement of a change, within the turn. */
let onAnnouncement: () => void

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-features-'))
  service = await startDemoService()
  other = await startDemoService()
  time = new ManualTime()
  builds = 0
  onAnnouncement = () => {}
  const stored = new Map<string, unknown>([['connection', { baseAddress: service.address }]])
  const store = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => void stored.set(key, value),
  }
  const clock = new DeadlineClock(time)
  const texts = await loadTexts('en')
  const places = {
    dataFolder: folder,
    installation: 'here',
    settingsFile: path.join(folder, 'config.json'),
    policyFile: path.join(folder, 'policy.json'),
    logDir: folder,
    agentEndpoint: { kind: 'socket', path: path.join(folder, 'agent.sock') },
  } as const
  const keychain = {
    open: async () => ({
      store: new MemoryStore(),
      probe: async () => ({ kind: 'works' }) as const,
      state: { kind: 'unlocked' } as const,
      busy: () => false,
      allowPrompts: () => {},
    }),
    stop: () => {},
    isInProcess: false,
  }
  core = createCore({
    platform: 'linux',
    // The app reports that it can't use this proxy. No request needs it.
    env: { HTTPS_PROXY: 'gopher://proxy' },
    version: '1.2.3',
    clock,
    places,
    environment: { layer: {}, app: {}, problems: [] },
    store,
    storeProblems: [],
    keychain,
    resolveProxy: async () => 'DIRECT',
    confirmDestination: async () => {
      // A faster click would confirm nothing.
      time.pass(1_000)
      return true
    },
  })
  const browser = { open: async () => OK, onReturn: () => {}, page: { language: 'en', title: '', body: '' } }
  engine = createConnections(core, browser, undefined)
  const changes = new Changes()
  let isEnabled = false
  const loginItem = {
    isEnabled: () => isEnabled,
    set: (enabled: boolean) => {
      isEnabled = enabled
    },
    refresh: () => {},
  }
  const log = { folder, info: () => {}, warn: () => {}, error: () => {}, tail: async () => [] }
  const updater = { fetch: async () => '2.0.0', holds: () => true, prepare: async () => {}, install: () => {} }
  features = createFeatures(
    {
      texts,
      log,
      report: (_, error) => {
        throw error
      },
      places,
      store,
      clipboard: { readText: () => '', writeText: () => {}, clear: () => {} },
      loginItem,
      updates: { plan: () => ({ kind: 'on', feed: 'https://updates.test' }), load: async () => updater },
      saveText: async (_, { onSaved }) => {
        onSaved(path.join(folder, 'diagnostics.txt'))
        return OK
      },
      showInFolder: () => {},
      askTrayHost: async () => 'unknown',
      isUnsafe: false,
      uid: process.getuid?.(),
    },
    core,
    engine,
    () => {
      changes.changed()
      onAnnouncement()
    },
  )
  handlers = mergeHandlers(features)
  views = new ViewStore(() => {
    builds += 1
    return mergeViews(features)
  }, changes)
})

afterEach(async () => {
  await Promise.all([features.sessions.stop(), features.agent.stop(), features.clipboard.stop()])
  await Promise.all([service.stop(), other.stop()])
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const { sessions, lastSignIns, loginItem, updates, agent } = features
  void sessions.start()
  lastSignIns.start()
  loginItem.start()
  updates.start()
  await Promise.all([agent.start(), sessions.restored()])
  await settle()
}

const signIn = ({ username, password }: { readonly username: string; readonly password: string }) =>
  handlers.signIn({ grant: 'password', username, password })
const takeToken = () => ask(path.join(folder, 'agent.sock'), '/v1/token')

/** Makes a call that must succeed. */
async function succeed(outcome: Promise<Outcome<unknown>>): Promise<void> {
  expect(await outcome).toEqual(OK)
  await settle()
}

it('each change is announced after it was made, and no call changes the view without an announcement', async () => {
  const outdated: unknown[] = []
  let step = ''
  const compare = (view: AppView) => {
    const now = mergeViews(features)
    for (const name of Object.keys({ ...view, ...now }) as (keyof AppView)[]) {
      if (JSON.stringify(view[name]) !== JSON.stringify(now[name])) outdated.push([step, name, view[name], now[name]])
    }
  }
  // This reads the view as early as a surface can, within each announcement. Later reads get the same view.
  onAnnouncement = () => void views.view
  views.subscribe(compare)
  const during = async (name: string, work: () => unknown) => {
    step = name
    await work()
    await settle()
    compare(views.view)
  }
  const useTool = async () => {
    await takeToken()
    await time.passSettling(1_000)
  }

  await during('start', start)
  await during('network', () => features.settingsProblems.start())
  expect(views.view.notices).toEqual([expect.stringContaining('HTTPS_PROXY')])
  await during('update', () => time.passSettling(MINUTE_MS))
  expect(views.view.update).toEqual({ version: '2.0.0' })
  await during('sign-in', () => succeed(signIn(ANA)))
  expect(views.view).toMatchObject({ session: { kind: 'active' }, lastSignIn: { username: ANA.username } })
  await during('token for a tool', useTool)
  expect(views.view.agent.uses).toHaveLength(1)
  await during('refresh', () => succeed(handlers.refreshNow(undefined)))
  await during('copy', () => succeed(handlers.copyToken(undefined)))
  await during('sign-in as another user', () => succeed(signIn(OTHER_USER)))
  expect(views.view).toMatchObject({ lastSignIn: { username: OTHER_USER.username }, agent: { uses: [] } })
  await during('token for another tool', useTool)
  await during('sign-out', () => succeed(handlers.signOut(undefined)))
  expect(views.view).toMatchObject({ session: { kind: 'signedOut' }, agent: { uses: [] } })
  await during('failed sign-in', () => signIn({ ...ANA, password: 'wrong' }))

  await during('new connection', () => succeed(handlers.addConnection({ name: 'other', baseAddress: other.address })))
  expect(views.view.shown).toBe('other')
  await during('sign-in there', () => succeed(signIn(ANA)))
  await during('first connection', () => succeed(handlers.showConnection({ name: 'default' })))
  await during('settings', () => succeed(handlers.saveSettings({ displayName: 'Data' })))
  expect(views.view.connection?.displayName).toBe('Data')
  await during('another address', () => succeed(handlers.saveSettings({ baseAddress: 'http://127.0.0.1:1' })))
  await during('removal', () => succeed(handlers.removeConnection({ name: 'other' })))
  expect(views.view.connections).toHaveLength(1)

  for (const enabled of [false, true]) {
    await during('agent', () => succeed(handlers.setSwitch({ name: 'agent', enabled })))
    await during('start at login', () => succeed(handlers.setSwitch({ name: 'startAtLogin', enabled })))
  }
  await during('navigation', () => features.navigation.request('settings'))
  await during('end of navigation', () => features.navigation.clear())
  await during('diagnostics', () => succeed(handlers.saveDiagnostics(undefined)))
  await during('end of diagnostics', () => features.diagnostics.clear())
  // Anyone can write to the folder, so the app reports the policy file instead of using it.
  writeFileSync(core.policy.path, '{}')
  await during('policy', () => core.policy.check())
  await expect.poll(() => views.view.notices).toHaveLength(2)
  expect(outdated).toEqual([])
})

it('each build of the view builds the view of each connection once, and no change causes a second build', async () => {
  await start()
  const connections = vi.spyOn(engine.connections, 'view', 'get')
  const delivered: AppView[] = []
  views.subscribe((view) => delivered.push(view))
  for (let reader = 0; reader < 3; reader += 1) views.subscribe(() => {})
  await succeed(signIn(ANA))
  await succeed(handlers.signOut(undefined))
  expect(delivered.length).toBeGreaterThan(3)
  expect([builds, connections.mock.calls.length]).toEqual([delivered.length, delivered.length])
})
