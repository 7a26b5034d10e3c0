/** Builds the app from its parts: core, then features, then surfaces. Independent of Electron. */

import { Listeners } from '../base/listeners.ts'
import { withTimeout } from '../base/with-timeout.ts'
import type { Sessions } from '../features/sessions.ts'
import { logProxies } from '../log/app-events.ts'
import { failureFields, logRemoved } from '../log/session-events.ts'
import type { SurfacePorts, Surfaces } from '../surfaces/surfaces.ts'
import { type Connections, createConnections } from './connections.ts'
import { type Core, type CorePorts, createCore } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import { createFeatures, type FeaturesPorts } from './create-features.ts'
import type { Browser } from './grants.ts'
import type { Paths } from './paths.ts'
import { listening, type Part, Phases } from './phases.ts'
import { Changes, ViewStore } from './view-store.ts'

export interface AppPorts extends CorePorts, FeaturesPorts {
  readonly paths: Paths
  /** Electron's version. */
  readonly electron: string | undefined
  /** Only present in builds for the crash tests. */
  readonly crashPoints: CrashPoints | undefined
  readonly createSurfaces: (ports: SurfacePorts) => Surfaces
  /** True if the window should open at the start. */
  readonly isWindowWanted: () => boolean
  /** Opens the provider's page in the system's browser. */
  readonly openBrowser: Browser['open']
  /**
   * Calls `wake` when the computer may have slept or the network may have changed. Returns a function that stops the
   * calls.
   */
  readonly watchWake: (wake: () => void) => () => void
}

/**
 * The longest time that background work waits for the sessions and the window. A refresh right after login can take
 * 20 s, because the network may not be available yet. Background work can't wait that long, because it watches for the
 * desktop's panel. If the panel starts before Latchkey watches for it, the panel shows no tray icon.
 */
const BACKGROUND_AT_LATEST_MS = 2_000
/** A smaller step of the wall clock changes nothing that the view shows. */
const CLOCK_STEP_MS = 1_000
/** How long quitting waits for pending replies. */
const STOP_TIMEOUT_MS = 10_000

export interface App {
  /** Resolves when everything has been started. */
  start(): Promise<void>
  /** Stops everything without losing a pending reply. */
  stop(): Promise<void>
  /** Opens the window, or brings it to the front. */
  show(): void
  /** True if a pending call to the keychain would keep this process from ending. */
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
  const keychain = keychainPart(ports, core, sessions)
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
          browserReturn: listening(() => returns.subscribe(() => surfaces.window.show())),
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
          copiedTokens: listening(() => changes.subscribe(() => void clipboard.sessionsChanged())),
        },
      },
      {
        name: 'background',
        waitsFor: () => {
          const ready = Promise.all([sessions.restored(), surfaces.window.shown()])
          return withTimeout(clock, BACKGROUND_AT_LATEST_MS, ready, undefined)
        },
        parts: {
          panel: { start: () => surfaces.tray.watchPanel() },
          settings: settingsProblems,
          keychain,
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
    isStuck: () => core.keychain.isInProcess && opened.keychain.isBusy(),
  }
}

/** Writes the first and last line of the log; stops after all other parts. */
function appPart({ log, platform, version, electron }: AppPorts, { keychain }: Core): Part {
  return {
    start: () => log.info('app.started', { version, electron, platform }),
    stop: () => {
      keychain.stop()
      log.info('app.stopped')
    },
  }
}

/** On wake, immediately checks everything that depends on time or the network. */
function wakePart({ watchWake, log, clock }: AppPorts, { policy }: Core, { connections }: Connections): Part {
  return listening(() =>
    watchWake(() => {
      log.info('app.woke')
      clock.check()
      policy.check()
      // Requests whose deadline passed during sleep must end first, so that they are retried immediately.
      setImmediate(() => connections.wake())
    }),
  )
}

/** Writes again what the keychain has lost. The watch may tell of a loss when it is stopped. */
function lostEntriesPart({ keychain, ownSecrets }: Core, { connections }: Connections): Part {
  let verifying = Promise.resolve()
  const { start, stop } = listening(() =>
    keychain.watch(() => {
      connections.verifyEntries()
      verifying = ownSecrets().then((secrets) => secrets.verify())
    }),
  )
  return {
    start,
    stop: () => {
      stop()
      return verifying
    },
  }
}

/** The view contains times of the wall clock, so it changes when the wall clock is set. */
function clockStepsPart({ clock }: AppPorts, { changed }: Changes): Part {
  return listening(() => {
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

/** Logs the keychain's state when the sessions have been opened. */
function keychainPart({ log }: AppPorts, { openedKeychain }: Core, sessions: Pick<Sessions, 'opened'>): Part {
  return {
    start: async () => {
      await sessions.opened()
      log.info('keychain.opened', (await openedKeychain()).state)
    },
  }
}
