/** Why Latchkey doesn't update itself. */
export type NoUpdates =
  /** Deb, rpm, AppImage and MSI: who installed it keeps it new. */
  | 'packageManager'
  /** It runs from its sources. */
  | 'notPackaged'
  /** The administrator has named no feed, or forgoes updates. */
  | 'noFeed'
  /** Nobody could tell a stranger's installer from ours: this one isn't signed. */
  | 'unsigned'

export type UpdatePlan =
  | { readonly kind: 'off'; readonly reason: NoUpdates }
  | { readonly kind: 'on'; readonly feed: string }

/**
 * SECURITY: a feed on 127.0.0.1:PORT leaves [::1]:PORT free for any user of this machine to take, and Chromium, which
 * fetches updates, tries both.
 */
const LOCALHOST = /^http:\/\/localhost(?=[:/]|$)/

interface Circumstances {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  /** The administrator's; an address. */
  readonly feed: string | undefined
  /**
   * The `.exe` installed it. Asked on Windows: what updates from here is another such `.exe`, which would put a second
   * Latchkey beside that of the `.msi`.
   */
  readonly hasUninstaller: () => boolean
  /** What was installed names who signs what replaces it. Asked on Windows; macOS takes no other signature by itself. */
  readonly hasPublisher: () => boolean
}

/** Updates come from a feed that the administrator names, and from nowhere else. */
export function updatePlan({ platform, isPackaged, feed, hasUninstaller, hasPublisher }: Circumstances): UpdatePlan {
  if (platform !== 'win32' && platform !== 'darwin') return { kind: 'off', reason: 'packageManager' }
  if (!isPackaged) return { kind: 'off', reason: 'notPackaged' }
  if (feed === undefined) return { kind: 'off', reason: 'noFeed' }
  if (platform === 'win32' && !hasUninstaller()) return { kind: 'off', reason: 'packageManager' }
  // SECURITY: electron-updater checks no signature where it knows no publisher (NsisUpdater.verifySignature).
  if (platform === 'win32' && !hasPublisher()) return { kind: 'off', reason: 'unsigned' }
  return { kind: 'on', feed: feed.replace(LOCALHOST, 'http://127.0.0.1') }
}

/** Whether electron-builder's `app-update.yml` names a publisher. */
export const namesPublisher = (yaml: string): boolean =>
  /^publisherName:[ \t]*(?:\r?\n[ \t]*-[ \t]+)?(?!null\b)[^\s~#[\]{}-]/m.test(yaml)
