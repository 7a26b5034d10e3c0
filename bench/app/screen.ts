/** A display whose pixels can be read from outside of whatever draws on it. */
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, startDaemon } from '../../test/keyring/programs.ts'
import { closeWindow } from './close-window.ts'
import { type Frame, paintedAt, unlike } from './painted.ts'

export interface Screen {
  readonly env: { readonly DISPLAY: string; readonly XAUTHORITY: string }
  /** Watches from now on; resolves, when the screen has come to rest, with the time when what it shows then was there. */
  painted(): Promise<number>
  /** Resolves when it shows nothing. */
  emptied(): Promise<void>
  /** Asks the window of this process to close, as its frame's button does, and waits until the screen is empty. */
  close(pid: number): Promise<void>
  stop(): Promise<void>
}

/** Every so many rows are read: a line of text has more. */
const ROWS = 4
/** Milliseconds between two looks. */
const PACE = 2
/** The screen is at rest when for so long nothing but a caret has changed: milliseconds. */
const REST = 900
/** How many of the pixels looked at a caret may be. */
const CARET = 40
const PATIENCE = 30_000

/** An Xvfb that keeps what it shows in a file (Xvfb -fbdir: XWD, 32 bits a pixel). */
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
  const display = Number(number())
  const env = { DISPLAY: `:${display}`, XAUTHORITY: '/dev/null' }
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
      const deadline = changedAt + PATIENCE
      while (last === empty || performance.now() - changedAt < REST) {
        if (performance.now() > deadline) throw new Error('nothing was painted, or it never came to rest')
        const pixels = look()
        const at = performance.now()
        const difference = pixels.equals(last) ? 0 : unlike(pixels, last)
        if (difference > 0) {
          seen.push({ at, pixels })
          last = pixels
        }
        if (difference > CARET) changedAt = at
        await sleep(PACE)
      }
      return paintedAt(seen, width)
    },
    async close(pid) {
      const { stdout } = await run('xdotool', ['search', '--onlyvisible', '--pid', String(pid)], { env })
      for (const window of stdout.trim().split('\n')) await closeWindow(display, Number(window))
      await emptied()
    },
    async stop() {
      closeSync(file)
      await server.stop()
    },
  }
}

/** Reads some rows of the file: its header says where they are (XWDFile.h). */
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

async function until(ready: () => boolean, complaint: () => string): Promise<void> {
  const deadline = performance.now() + PATIENCE
  while (!ready()) {
    if (performance.now() > deadline) throw new Error(complaint())
    await sleep(10)
  }
}
