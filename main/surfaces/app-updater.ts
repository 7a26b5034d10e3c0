/** electron-updater, as far as it is wanted (electron-builder: Auto Update). */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { app, autoUpdater } from 'electron'
import { CancellationToken, MacUpdater, NsisUpdater } from 'electron-updater'
import type { Clock } from '../session/ports.ts'
import type { Updater } from '../updates/updates.ts'

interface AppUpdaterOptions {
  readonly platform: NodeJS.Platform
  /** What electron-builder packs as `app-update.yml`: who signs, and where downloads are kept. */
  readonly config: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long a feed may bring nothing before it is given up: milliseconds. */
  readonly patience?: number
}

const PATIENCE = 60_000

const STALLED = 'the feed has stopped in the midst of it'
const UNCHECKED = 'its signature could not be checked'

export function createAppUpdater({ platform, config, clock, patience = PATIENCE }: AppUpdaterOptions): Updater {
  const updater = platform === 'darwin' ? new MacUpdater() : new NsisUpdater()
  updater.updateConfigPath = config
  // Whether this app may update itself has been asked before.
  updater.forceDevUpdateConfig = true
  updater.autoDownload = false
  // SECURITY: nothing is installed without a word, nothing older comes back, and no installer fetches another.
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  updater.disableWebInstaller = true
  // Nor is the feed told which computer asks.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  // One request for the whole of it: a company's proxy understands that.
  updater.disableDifferentialDownload = true

  // What goes wrong is thrown as well; its warnings are listened to below.
  let isUnchecked = false
  const warn = (said: unknown) => {
    isUnchecked ||= /ignoring signature validation/i.test(String(said))
  }
  updater.logger = { info() {}, warn, error() {} }
  if (updater instanceof NsisUpdater) {
    const verify = updater.verifyUpdateCodeSignature
    // SECURITY: where PowerShell can't be run, electron-updater warns and lets the installer pass. Here it doesn't.
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
      let waitAnew = (): void => {}
      let stopWaiting = (): void => {}
      // Its own timeout waits for an event that Electron's requests don't have; and to ask again takes another updater.
      const stalled = new Promise<never>((_, reject) => {
        const giveUp = () => {
          fetched = undefined
          stop.cancel()
          reject(new Error(STALLED))
        }
        waitAnew = () => {
          stopWaiting()
          stopWaiting = clock.at(clock.now() + patience, giveUp)
        }
      })
      waitAnew()
      updater.on('download-progress', waitAnew)
      try {
        return await Promise.race([fetch(feed, stop), stalled])
      } finally {
        updater.off('download-progress', waitAnew)
        stopWaiting()
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

/**
 * macOS looks at the signature when Squirrel is given the update, and from then on installs it even if the app just
 * ends: so not before the user has asked for it (Electron: autoUpdater).
 */
async function handToSquirrel(): Promise<void> {
  const handed = once(autoUpdater, 'update-downloaded')
  autoUpdater.checkForUpdates()
  await handed
}

/** The installer ends what still runs: it is started when nothing is under way any more. */
function atQuit(updater: NsisUpdater, holds: () => boolean): () => void {
  const installOrGoOn = () => {
    if (!holds() || !updater.install(true, true)) app.relaunch()
  }
  return () => {
    // Asked twice, it is installed once.
    app.off('quit', installOrGoOn)
    // Before what ends the process by a signal, where the keychain hangs (lifecycle.ts).
    app.prependOnceListener('quit', installOrGoOn)
    app.quit()
  }
}
