import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { app, autoUpdater } from 'electron'
import { CancellationToken, MacUpdater, NsisUpdater } from 'electron-updater'
import type { Clock } from '../base/clock.ts'
import { unlessAborted } from '../base/waits.ts'
import type { Updater } from '../updates/updates.ts'

interface AppUpdaterOptions {
  readonly platform: NodeJS.Platform
  /** electron-builder's `app-update.yml`, which names the publisher and the download folder. */
  readonly config: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long a feed may be silent before the download fails. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

const STALLED = 'the feed stopped sending before the update was complete'
const UNCHECKED = 'its signature could not be checked'

export function createAppUpdater({ platform, config, clock, timeoutMs = TIMEOUT_MS }: AppUpdaterOptions): Updater {
  const updater = platform === 'darwin' ? new MacUpdater() : new NsisUpdater()
  updater.updateConfigPath = config
  // Lets electron-updater run in any package: updates/plan.ts has already decided that this app may update itself.
  updater.forceDevUpdateConfig = true
  updater.autoDownload = false
  // SECURITY: each installation needs the user's consent, and no older version or second installer is used.
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  updater.disableWebInstaller = true
  // Keeps electron-updater from sending the feed an id of this computer.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  // Downloads the whole file in one request, which all company proxies support.
  updater.disableDifferentialDownload = true

  // electron-updater throws the errors that it logs, so only its warnings matter here.
  let isUnchecked = false
  const warn = (said: unknown) => {
    isUnchecked ||= /ignoring signature validation/i.test(String(said))
  }
  updater.logger = { info() {}, warn, error() {} }
  if (updater instanceof NsisUpdater) {
    const verify = updater.verifyUpdateCodeSignature
    // SECURITY: without PowerShell, electron-updater only warns and accepts the installer, so this code refuses it.
    updater.verifyUpdateCodeSignature = async (publishers, file) => {
      isUnchecked = false
      const refusal = await verify(publishers, file)
      return refusal ?? (isUnchecked ? UNCHECKED : null)
    }
  }

  let fetched: string | undefined
  const holds = () => fetched !== undefined && existsSync(fetched)

  const fetch = async (feed: string, stop: CancellationToken): Promise<string | undefined> => {
    updater.setFeedURL({ provider: 'generic', url: feed })
    const found = await updater.checkForUpdates()
    if (found === null || !found.isUpdateAvailable || stop.cancelled) return undefined
    const [file] = await updater.downloadUpdate(stop)
    fetched = file
    return found.updateInfo.version
  }

  return {
    async fetch(feed) {
      const stop = new CancellationToken()
      const stalled = new AbortController()
      stalled.signal.addEventListener('abort', () => {
        fetched = undefined
        stop.cancel()
      })
      let cancelTimeout = (): void => {}
      // electron-updater's own timeout never starts, because it waits for an event that Electron's requests don't emit.
      const restartTimeout = () => {
        cancelTimeout()
        cancelTimeout = clock.at(clock.now() + timeoutMs, () => stalled.abort(new Error(STALLED)))
      }
      restartTimeout()
      updater.on('download-progress', restartTimeout)
      try {
        return await unlessAborted(stalled.signal, fetch(feed, stop))
      } finally {
        updater.off('download-progress', restartTimeout)
        cancelTimeout()
      }
    },
    holds,
    async prepare() {
      if (updater instanceof NsisUpdater) return access(fetched ?? '')
      try {
        await handToSquirrel()
      } catch (error) {
        fetched = undefined
        throw error
      }
    },
    install: updater instanceof NsisUpdater ? atQuit(updater, holds) : () => updater.quitAndInstall(),
  }
}

/** Squirrel installs the update at the next quit (Electron: autoUpdater), so the user must have agreed before. */
async function handToSquirrel(): Promise<void> {
  const handed = once(autoUpdater, 'update-downloaded')
  autoUpdater.checkForUpdates()
  await handed
}

/** Starts the installer after the app has quit, because the installer would kill a running app. */
function atQuit(updater: NsisUpdater, holds: () => boolean): () => void {
  const installOrGoOn = () => {
    if (!holds() || !updater.install(true, true)) app.relaunch()
  }
  return () => {
    app.off('quit', installOrGoOn)
    // This must run before the listener in lifecycle.ts, which kills the process if the keychain hangs.
    app.prependOnceListener('quit', installOrGoOn)
    app.quit()
  }
}
