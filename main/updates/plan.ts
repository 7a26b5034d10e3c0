import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

type NoUpdates =
  /** The app is in a deb, rpm, AppImage or MSI, which must be updated in the way in which it was installed. */
  | 'packageManager'
  | 'notPackaged'
  | 'noFeed'
  /** This app isn't signed, so it can't tell our installer from a forged one. */
  | 'unsigned'

export type UpdatePlan =
  | { readonly kind: 'off'; readonly reason: NoUpdates }
  | { readonly kind: 'on'; readonly feed: string }

/** SECURITY: for `localhost`, Chromium also tries [::1], where any user may listen on the feed's port. */
const LOCALHOST = /^http:\/\/localhost(?=[:/]|$)/

interface Circumstances {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly feed: string | undefined
  /** Only asked on Windows: beside an app that an `.msi` installed, an update would install a second one. */
  readonly hasUninstaller: () => boolean
  /** Only asked on Windows, because macOS checks the publisher's signature itself. */
  readonly hasPublisher: () => boolean
}

export function updatePlan({ platform, isPackaged, feed, hasUninstaller, hasPublisher }: Circumstances): UpdatePlan {
  if (platform !== 'win32' && platform !== 'darwin') return { kind: 'off', reason: 'packageManager' }
  if (!isPackaged) return { kind: 'off', reason: 'notPackaged' }
  if (feed === undefined) return { kind: 'off', reason: 'noFeed' }
  if (platform === 'win32' && !hasUninstaller()) return { kind: 'off', reason: 'packageManager' }
  // SECURITY: electron-updater checks no signature if it knows no publisher (NsisUpdater.verifySignature).
  if (platform === 'win32' && !hasPublisher()) return { kind: 'off', reason: 'unsigned' }
  return { kind: 'on', feed: feed.replace(LOCALHOST, 'http://127.0.0.1') }
}

export const namesPublisher = (yaml: string): boolean =>
  /^publisherName:[ \t]*(?:\r?\n[ \t]*-[ \t]+)?(?!null\b)[^\s~#[\]{}-]/m.test(yaml)

/** The `.exe` installs this file and the `.msi` doesn't (electron-builder: templates/nsis/common.nsh). */
export const UNINSTALLER = 'Uninstall Latchkey.exe'

export const hasUninstaller = (execPath: string): boolean => existsSync(path.join(path.dirname(execPath), UNINSTALLER))

/** `config` is `app-update.yml`, which not every package has. */
export const hasPublisher = (config: string): boolean =>
  existsSync(config) && namesPublisher(readFileSync(config, 'utf8'))
