/** The reasons why Latchkey doesn't update itself. */
export type NoUpdates =
  /** The app is a package (deb, rpm, AppImage, MSI). It is updated in the same way as it was installed. */
  | 'packageManager'
  /** A development run. */
  | 'notPackaged'
  /** The administrator has named no feed. */
  | 'noFeed'
  /** This app isn't signed, so it can't distinguish our installer from a forged one. */
  | 'unsigned'

export type UpdatePlan =
  | { readonly kind: 'off'; readonly reason: NoUpdates }
  | { readonly kind: 'on'; readonly feed: string }

/**
 * SECURITY: Chromium fetches the updates, and for `localhost` it tries both 127.0.0.1 and [::1]. If the feed only
 * listens on 127.0.0.1, any user of this machine can listen on the same port of [::1]. So `localhost` is replaced by
 * 127.0.0.1.
 */
const LOCALHOST = /^http:\/\/localhost(?=[:/]|$)/

interface Circumstances {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  /** The address of the administrator's feed. */
  readonly feed: string | undefined
  /**
   * True if the `.exe` installed the app. Only called on Windows. An update there is an `.exe`, which would install a
   * second Latchkey if the `.msi` had installed the first.
   */
  readonly hasUninstaller: () => boolean
  /**
   * True if the app names the publisher that must sign updates. Only called on Windows; macOS checks the signature
   * itself.
   */
  readonly hasPublisher: () => boolean
}

/** Updates only come from a feed that the administrator names. */
export function updatePlan({ platform, isPackaged, feed, hasUninstaller, hasPublisher }: Circumstances): UpdatePlan {
  if (platform !== 'win32' && platform !== 'darwin') return { kind: 'off', reason: 'packageManager' }
  if (!isPackaged) return { kind: 'off', reason: 'notPackaged' }
  if (feed === undefined) return { kind: 'off', reason: 'noFeed' }
  if (platform === 'win32' && !hasUninstaller()) return { kind: 'off', reason: 'packageManager' }
  // SECURITY: electron-updater checks no signature if it knows no publisher (NsisUpdater.verifySignature).
  if (platform === 'win32' && !hasPublisher()) return { kind: 'off', reason: 'unsigned' }
  return { kind: 'on', feed: feed.replace(LOCALHOST, 'http://127.0.0.1') }
}

/** True if electron-builder's `app-update.yml` names a publisher. */
export const namesPublisher = (yaml: string): boolean =>
  /^publisherName:[ \t]*(?:\r?\n[ \t]*-[ \t]+)?(?!null\b)[^\s~#[\]{}-]/m.test(yaml)
