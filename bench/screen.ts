import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDaemon, until } from '../test/keyring/programs.ts'

/** Every fourth row is enough, because a line of text is higher. */
const ROWS = 4
const POLL_MS = 2
/** The screen shows its final content when nothing but a text cursor has changed for this long. */
const REST_MS = 900
/** A text cursor covers at most this many of the pixels that are read. */
const CURSOR_PIXELS = 40
const TIMEOUT_MS = 30_000

/** A display whose pixels the benchmark can read: an Xvfb that keeps its screen in a file (-fbdir: XWD, XWDFile.h). */
export async function startScreen(folder: string) {
  const frames = path.join(folder, 'frames')
  mkdirSync(frames)
  const server = startDaemon(
    'sh',
    ['-c', 'exec Xvfb -displayfd 3 -screen 0 800x800x24 -br -nocursor -nolisten tcp -noreset -fbdir "$0" 3>&2', frames],
    { env: {} },
  )
  const number = () => /^(\d+)\n/m.exec(server.said())?.[1]
  await until(() => number() !== undefined, server.said)
  const file = openSync(path.join(frames, 'Xvfb_screen0'), 'r')
  const look = reader(file)
  const empty = look()
  return {
    env: { DISPLAY: `:${number()}`, XAUTHORITY: '/dev/null' },
    emptied: () =>
      until(
        () => look().equals(empty),
        () => 'a window did not close',
      ),
    /** Watches until the screen stops changing. Resolves with the time when it first showed its final content. */
    async painted(): Promise<number> {
      const seen: { readonly at: number; readonly pixels: Buffer }[] = []
      let last = empty
      let changedAt = performance.now()
      const deadline = changedAt + TIMEOUT_MS
      while (last === empty || performance.now() - changedAt < REST_MS) {
        if (performance.now() > deadline) throw new Error('nothing was painted, or it never came to rest')
        const pixels = look()
        if (!pixels.equals(last)) {
          const at = performance.now()
          seen.push({ at, pixels })
          if (!isSame(pixels, last)) changedAt = at
          last = pixels
        }
        await sleep(POLL_MS)
      }
      return seen.find(({ pixels }) => isSame(pixels, last))?.at ?? changedAt
    },
    async stop() {
      closeSync(file)
      await server.stop()
    },
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  const words = ({ buffer, byteOffset, length }: Buffer) => new Uint32Array(buffer, byteOffset, length / 4)
  const [a, b] = [words(one), words(other)]
  return a.reduce((count, pixel, at) => (pixel === b[at] ? count : count + 1), 0) <= CURSOR_PIXELS
}

/** The file's header says where the pixels begin. */
function reader(file: number): () => Buffer {
  const header = Buffer.alloc(100)
  readSync(file, header, 0, header.length, 0)
  const field = (index: number) => header.readUInt32BE(index * 4)
  const [height, bytesPerLine] = [field(5), field(12)]
  const start = field(0) + field(19) * 12
  const rows = Math.floor(height / ROWS)
  return () => {
    const pixels = Buffer.alloc(rows * bytesPerLine)
    for (let row = 0; row < rows; row++) {
      readSync(file, pixels, row * bytesPerLine, bytesPerLine, start + row * ROWS * bytesPerLine)
    }
    return pixels
  }
}
