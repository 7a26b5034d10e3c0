/** A display whose pixels the benchmark can read. */
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDaemon } from '../test/keyring/programs.ts'
import { differingPixels, type Frame, paintedAt } from './painted.ts'

export interface Screen {
  readonly env: { readonly DISPLAY: string; readonly XAUTHORITY: string }
  /** Watches until the screen stops changing. Resolves with the time when it first showed its final content. */
  painted(): Promise<number>
  /** Resolves when no window is shown. */
  emptied(): Promise<void>
  stop(): Promise<void>
}

/** Every fourth row is enough, because a line of text is higher. */
const ROWS = 4
const POLL_MS = 2
/** The screen shows its final content when nothing but a text cursor has changed for this long. */
const REST_MS = 900
/** A text cursor covers at most this many of the pixels that are read. */
const CARET_PIXELS = 40
const TIMEOUT_MS = 30_000

/** An Xvfb that keeps its screen in a file (Xvfb -fbdir: XWD, 32 bits a pixel). */
export async function startScreen(folder: string): Promise<Screen> {
  const frames = path.join(folder, 'frames')
  mkdirSync(frames)
  const server = startDaemon(
    'sh',
    ['-c', 'exec Xvfb -displayfd 3 -screen 0 800x800x24 -br -nocursor -nolisten tcp -noreset -fbdir "$0" 3>&2', frames],
    { env: {} },
  )
  const number = () => /^(\d+)\n/m.exec(server.said())?.[1]
  await until(() => number() !== undefined, server.said)
  const env = { DISPLAY: `:${number()}`, XAUTHORITY: '/dev/null' }
  const file = openSync(path.join(frames, 'Xvfb_screen0'), 'r')
  const { look, width } = reader(file)
  const empty = look()
  const emptied = () =>
    until(
      () => look().equals(empty),
      () => 'a window did not close',
    )

  return {
    env,
    emptied,
    async painted() {
      const seen: Frame[] = [{ at: performance.now(), pixels: empty }]
      let last = empty
      let changedAt = performance.now()
      const deadline = changedAt + TIMEOUT_MS
      while (last === empty || performance.now() - changedAt < REST_MS) {
        if (performance.now() > deadline) throw new Error('nothing was painted, or it never came to rest')
        const pixels = look()
        const at = performance.now()
        const difference = pixels.equals(last) ? 0 : differingPixels(pixels, last)
        if (difference > 0) {
          seen.push({ at, pixels })
          last = pixels
        }
        if (difference > CARET_PIXELS) changedAt = at
        await sleep(POLL_MS)
      }
      return paintedAt(seen, width)
    },
    async stop() {
      closeSync(file)
      await server.stop()
    },
  }
}

/** The file's header says where the pixels begin (XWDFile.h). */
function reader(file: number): { look(): Buffer; readonly width: number } {
  const header = Buffer.alloc(100)
  readSync(file, header, 0, header.length, 0)
  const field = (index: number) => header.readUInt32BE(index * 4)
  const [height, bytesPerLine] = [field(5), field(12)]
  const start = field(0) + field(19) * 12
  const rows = Math.floor(height / ROWS)
  return {
    width: bytesPerLine / 4,
    look() {
      const pixels = Buffer.alloc(rows * bytesPerLine)
      for (let row = 0; row < rows; row++) {
        readSync(file, pixels, row * bytesPerLine, bytesPerLine, start + row * ROWS * bytesPerLine)
      }
      return pixels
    },
  }
}

export async function until(ready: () => boolean, complaint: () => string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!ready()) {
    if (performance.now() > deadline) throw new Error(complaint())
    await sleep(10)
  }
}
