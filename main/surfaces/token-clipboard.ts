import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import { readSelection, type Selection } from './x11-selection.ts'

interface Buffer {
  readText(): string | Promise<string>
  clear(): void
}

/** Electron's clipboard since version 45. Its methods return promises, and it takes a `ClipboardItem`. */
interface ModernClipboard extends Buffer {
  write(items: unknown[]): Promise<void>
  readonly selection?: Buffer
}

/** Electron's clipboard before version 45, which couldn't write several formats at once. */
interface EarlierClipboard {
  readText(type?: 'selection'): string
  writeText(text: string): void
  clear(type?: 'selection'): void
}

interface Ports {
  readonly clipboard: ModernClipboard | EarlierClipboard
  readonly ClipboardItem: (new (formats: Record<string, string | Blob>) => unknown) | undefined
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Pick<Clock, 'now' | 'at'>
}

const TIMEOUT_MS = 2_000

/**
 * Writes texts that clipboard managers must not keep. On Linux, Chromium also writes them to the primary selection,
 * which is cleared at once. Reading never throws, and returns an empty text instead.
 */
export function createTokenClipboard({ clipboard, ClipboardItem, platform, env, clock }: Ports) {
  const selection = platform === 'linux' ? selectionOf(clipboard) : undefined
  // Only under X11 does Electron's own read wait for another program (Chromium: ui/ozone/platform/wayland).
  const isX11 = platform === 'linux' && Boolean(env['DISPLAY']) && env['XDG_SESSION_TYPE'] !== 'wayland'
  const reading = (name: Selection, buffer: Buffer) => async (): Promise<string> => {
    const read = async () => buffer.readText()
    if (!isX11) return read().catch(() => '')
    const over = new AbortController()
    // If the X server can't be reached, Electron reads, although this may block the main thread.
    const asked = readSelection(name, env, over.signal).catch(() => (over.signal.aborted ? '' : read().catch(() => '')))
    return withTimeout(clock, TIMEOUT_MS, asked, '').finally(() => over.abort())
  }
  return {
    readText: reading('CLIPBOARD', clipboard),
    async writeText(text: string): Promise<void> {
      if (ClipboardItem !== undefined && 'write' in clipboard) {
        await clipboard.write([new ClipboardItem({ 'text/plain': text, ...secretFormats(platform) })])
      } else if ('writeText' in clipboard) clipboard.writeText(text)
      selection?.clear()
    },
    clear: () => clipboard.clear(),
    ...(selection && { selection: { readText: reading('PRIMARY', selection), clear: () => selection.clear() } }),
  }
}

function selectionOf(clipboard: ModernClipboard | EarlierClipboard): Buffer | undefined {
  if ('write' in clipboard && 'selection' in clipboard) return clipboard.selection
  return { readText: () => clipboard.readText('selection'), clear: () => clipboard.clear('selection') }
}

/** SECURITY: tells clipboard managers to keep no copy (Klipper; Microsoft: Clipboard Formats; nspasteboard.org). */
function secretFormats(platform: NodeJS.Platform): Record<string, string | Blob> {
  const no = new Blob([new Uint8Array(4)])
  const windows = {
    ExcludeClipboardContentFromMonitorProcessing: no,
    CanIncludeInClipboardHistory: no,
    CanUploadToCloudClipboard: no,
  }
  const macos = { 'org.nspasteboard.ConcealedType': '1', 'org.nspasteboard.TransientType': '1' }
  const linux = { 'x-kde-passwordManagerHint': 'secret' }
  return Object.fromEntries(
    Object.entries(platform === 'win32' ? windows : platform === 'darwin' ? macos : linux).map(([name, value]) => [
      `electron application/osclipboard;format="${name}"`,
      value,
    ]),
  )
}
