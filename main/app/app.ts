/** Builds the app from core, features and surfaces. Tests build it without Electron. */

import { Listeners } from '../base/listeners.ts'
import { Tasks, withTimeout } from '../base/waits.ts'
import type { Sessions } from '../features/sessions.ts'
import { failureFields, logProxies, logRemoved } from '../log/events.ts'
import type { SurfacePorts, Surfaces } from '../surfaces/surfaces.ts'
import { type Connections, createConnections } from './connections.ts'
import { type Core, type CorePorts, createCore } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import { createFeatures, type FeaturesPorts } from './create-features.ts'
import type { Browser } from './grants.ts'
import type { Paths } from './host-system.ts'
import { type Part, Phases, whileRunning } from './phases.ts'
import { Changes, ViewStore } from './view-store.ts'

export interface AppPorts extends CorePorts, FeaturesPorts {
  readonly paths: Paths
  readonly electron: string | undefined
  readonly crashPoints: CrashPoints | undefined
  readonly createSurfaces: (ports: SurfacePorts) => Surfaces
  readonly isWindowWanted: () => boolean
  readonly openBrowser: Browser['open']
  /** Calls `wake` when the computer may have slept or the network changed. Returns a function that ends this. */
  readonly watchWake: (wake: () => void) => () => void
}

/** Restoring a session can take 20 s, but a panel that starts before `watchPanel` runs shows no tray icon. */
const BACKGROUND_AT_LATEST_MS = 2_000
/** A smaller step of the wall clock doesn't change what the view shows. */
const CLOCK_STEP_MS = 1_000
const STOP_TIMEOUT_MS = 10_000

export interface App {
  start(): Promise<void>
  stop(): Promise<void>
  show(): void
  isStuck(): boolean
}

export function createApp(ports: AppPorts): App {
  const { log, clock, report } = ports
  const core = createCore(ports, logProxies(log))
  const returns = new Listeners()
  const browser = {
    open: ports.openBrowser,
    onReturn: returns.tell,
    page: { language: ports.texts.language, texts: ports.texts.browserPage },
  }
  const opened = createConnections(core, browser, ports.crashPoints, logRemoved(log))
  const changes = new Changes()
  const features = createFeatures(ports, core, opened, changes.changed)
  const views = new ViewStore(features.view, changes)
  const { proxySignIn, sessions, lastSignIns, loginItem, updates, agent, gateways, mcp, clipboard, settingsProblems } =
    features.parts
  const surfaces = ports.createSurfaces({
    views,
    handlers: features.handlers,
    sessions,
    agent,
    clipboard,
    switches: features.switches,
    diagnostics: features.diagnostics,
    navigation: features.navigation,
    store: ports.store,
    texts: ports.texts,
    platform: ports.platform,
    clock,
    log,
    report,
    changed: changes.changed,
    onFailure: (call, failure) => log.warn('call.failed', { call, ...failureFields(failure) }),
  })

  const wake = wakePart(ports, core, opened)
  const clockSteps = clockStepsPart(ports, changes)
  const phases = new Phases(
    [
      {
        name: 'icon',
        parts: { app: appPart(ports, core), ...surfaces.parts },
      },
      {
        name: 'window',
        parts: {
          firstWindow: { start: () => (ports.isWindowWanted() ? surfaces.window.show() : undefined) },
          browserReturn: whileRunning(() => returns.subscribe(() => surfaces.window.show())),
        },
      },
      {
        name: 'sessions',
        parts: {
          proxySignIn,
          sessions,
          lastSignIns,
          loginItem,
          wake,
          clockSteps,
          policy: core.policy,
          updates,
          agent,
          gateways,
          mcp,
          clipboard,
          copiedTokens: whileRunning(() => changes.subscribe(() => void clipboard.sessionsChanged())),
        },
      },
      {
        name: 'background',
        waitsFor: () => {
          const ready = Promise.all([opened.connections.restored(), surfaces.window.shown()])
          return withTimeout(clock, BACKGROUND_AT_LATEST_MS, ready, undefined)
        },
        parts: {
          panel: { start: () => surfaces.tray.watchPanel() },
          settings: settingsProblems,
          keychain: keychainPart(ports, core, sessions),
          lostEntries: lostEntriesPart(core, opened),
        },
      },
    ],
    { clock, report, stopTimeoutMs: STOP_TIMEOUT_MS },
  )
  return {
    start: () => phases.start(),
    stop: () => phases.stop(),
    show: () => surfaces.window.show(),
    isStuck: () => core.systemKeychain.isInProcess && core.keychain.isBusy,
  }
}

function appPart({ log, platform, version, electron }: AppPorts, { systemKeychain }: Core): Part {
  return {
    start: () => log.info('app.started', { version, electron, platform }),
    stop: () => {
      systemKeychain.stop()
      log.info('app.stopped')
    },
  }
}

function wakePart({ watchWake, log, clock }: AppPorts, { policy }: Core, { connections }: Connections): Part {
  return whileRunning(() =>
    watchWake(() => {
      log.info('app.woke')
      clock.check()
      policy.check()
      // `clock.check()` ends requests whose timeout passed during sleep; `wake`, which retries them, comes later.
      setImmediate(() => connections.wake())
    }),
  )
}

/** Stores lost entries again. The watch may report more when it stops, so `stop` waits until these are stored, too. */
function lostEntriesPart({ systemKeychain, ownSecrets }: Core, { connections }: Connections): Part {
  const verifying = new Tasks()
  const { start, stop } = whileRunning(() =>
    systemKeychain.watch(() => {
      connections.verifyEntries()
      verifying.add(ownSecrets.verify())
    }),
  )
  return {
    start,
    stop: () => {
      stop()
      return verifying.over()
    },
  }
}

/** The view contains times of the wall clock, so setting that clock changes the view. */
function clockStepsPart({ clock }: AppPorts, { changed }: Changes): Part {
  return whileRunning(() => {
    const aheadMs = () => clock.wall() - clock.now()
    let last = aheadMs()
    return clock.onCheck(() => {
      const next = aheadMs()
      if (Math.abs(next - last) < CLOCK_STEP_MS) return
      last = next
      changed()
    })
  })
}

function keychainPart({ log }: AppPorts, { keychain }: Core, sessions: Pick<Sessions, 'opened'>): Part {
  return {
    start: async () => {
      await sessions.opened()
      log.info('keychain.opened', (await keychain.opened()).state)
    },
  }
}
