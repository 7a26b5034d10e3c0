/** Reads an X11 selection over a connection of its own (X Window System Protocol, release 6.8). */
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'

export type Selection = 'CLIPBOARD' | 'PRIMARY'
type Variables = Readonly<Record<string, string | undefined>>

const CREATE_WINDOW = 1
const INTERN_ATOM = 16
const GET_PROPERTY = 20
const CONVERT_SELECTION = 24
const SET_CLOSE_DOWN_MODE = 112
const DESTROY = 0
const RETAIN_PERMANENT = 1
const REPLY = 1
const SELECTION_NOTIFY = 31
const GENERIC_EVENT = 35
const PRIMARY_ATOM = 1
const INPUT_ONLY = 2

/** The longest text that is read, in units of four bytes. No access token is longer. */
const MOST_WORDS = 65_536

/**
 * Empty if the selection has no owner or no text. Rejects if the X server can't be reached or the signal is aborted.
 * Electron would read it on the main thread, and wait up to half a minute for a program that hangs.
 */
export async function readSelection(selection: Selection, env: Variables, signal: AbortSignal): Promise<string> {
  const display = displayOf(env['DISPLAY'] ?? '')
  const cookie = await cookieFor(display.number, env)
  const socket = connect(display.address)
  const abort = () => socket.destroy(new Error('no answer in time'))
  signal.addEventListener('abort', abort)
  try {
    const server = new Packets(socket)
    socket.write(hello(cookie))
    const { window, root } = parseWelcome(await server.welcome())
    const atomOf = async (name: string) => {
      const text = padded(Buffer.from(name))
      socket.write(request(INTERN_ATOM, 0, Buffer.from([name.length, 0, 0, 0]), text))
      return (await server.next(REPLY)).readUInt32LE(8)
    }
    const target = await atomOf('UTF8_STRING')
    const property = await atomOf('LATCHKEY_SELECTION')
    const source = selection === 'PRIMARY' ? PRIMARY_ATOM : await atomOf(selection)
    socket.write(request(CREATE_WINDOW, 0, words(window, root, 0, 0x1_0001, INPUT_ONLY << 16, 0, 0)))
    // The window stays until the selection's owner has answered: an answer to a missing window is an X error, which
    // would end an owner that doesn't handle errors (Xlib, XSetErrorHandler).
    socket.write(request(SET_CLOSE_DOWN_MODE, RETAIN_PERMANENT))
    socket.write(request(CONVERT_SELECTION, 0, words(window, source, target, property, 0)))
    const isConverted = (await server.next(SELECTION_NOTIFY)).readUInt32LE(20) === property
    socket.write(request(SET_CLOSE_DOWN_MODE, DESTROY))
    if (!isConverted) return ''
    socket.write(request(GET_PROPERTY, 1, words(window, property, 0, 0, MOST_WORDS)))
    const value = await server.next(REPLY)
    // A longer text would come in parts, with another type (ICCCM, INCR).
    return value.readUInt32LE(8) === target ? value.toString('utf8', 32, 32 + value.readUInt32LE(16)) : ''
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroySoon()
  }
}

function displayOf(text: string) {
  const [, host = '', digits] = /^(.*):(\d{1,5})(?:\.\d+)?$/.exec(text) ?? []
  if (digits === undefined) throw new Error('no X display')
  const number = Number(digits)
  const isLocal = host === '' || host === 'unix'
  return { number, address: isLocal ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6_000 + number } }
}

/** The display's MIT-MAGIC-COOKIE-1 from the user's authority file (Xau(3)). Empty if the file has none. */
async function cookieFor(display: number, { XAUTHORITY, HOME = '' }: Variables): Promise<Buffer> {
  const file = await readFile(XAUTHORITY || path.join(HOME, '.Xauthority')).catch(() => Buffer.alloc(0))
  let at = 0
  const field = () => {
    const length = file.readUInt16BE(at)
    at += 2 + length
    return file.subarray(at - length, at)
  }
  while (at < file.length) {
    at += 2
    const [, number, name, cookie] = [field(), field().toString(), field().toString(), field()] as const
    if (name === METHOD && (number === '' || number === String(display))) return cookie
  }
  return Buffer.alloc(0)
}

const METHOD = 'MIT-MAGIC-COOKIE-1'

function hello(cookie: Buffer): Buffer {
  const name = Buffer.from(cookie.length === 0 ? '' : METHOD)
  const head = Buffer.alloc(12)
  head.write('l')
  head.writeUInt16LE(11, 2)
  head.writeUInt16LE(name.length, 6)
  head.writeUInt16LE(cookie.length, 8)
  return Buffer.concat([head, padded(name), padded(cookie)])
}

/** The first resource id that the client may use, and the root window of the first screen. */
function parseWelcome(welcome: Buffer) {
  if (welcome[0] !== 1) throw new Error('the X server refused the connection')
  const vendor = welcome.readUInt16LE(24)
  const formats = welcome[29] ?? 0
  return { window: welcome.readUInt32LE(12), root: welcome.readUInt32LE(40 + vendor + gap(vendor) + 8 * formats) }
}

const gap = (length: number): number => (4 - (length % 4)) % 4
const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc(gap(data.length))])

function words(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) data.writeUInt32LE(value, 4 * index)
  return data
}

function request(code: number, detail: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.from([code, detail, 0, 0])
  head.writeUInt16LE(1 + body.length / 4, 2)
  return Buffer.concat([head, body])
}

class Packets {
  readonly #chunks: AsyncIterator<Buffer>
  #data = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]()
  }

  async welcome(): Promise<Buffer> {
    const head = await this.#peek(8)
    return this.#take(8 + 4 * head.readUInt16LE(6))
  }

  /** The next packet of this kind. Packets of other kinds are skipped. Rejects if the server reports an error. */
  async next(kind: number): Promise<Buffer> {
    for (;;) {
      const head = await this.#peek(32)
      // The highest bit marks an event that another client has sent.
      const code = (head[0] ?? 0) & 0x7f
      const isLong = code === REPLY || code === GENERIC_EVENT
      const packet = await this.#take(isLong ? 32 + 4 * head.readUInt32LE(4) : 32)
      if (code === 0) throw new Error(`the X server reports error ${packet[1]}`)
      if (code === kind) return packet
    }
  }

  async #peek(length: number): Promise<Buffer> {
    while (this.#data.length < length) {
      const { done, value } = await this.#chunks.next()
      if (done) throw new Error('the X server hung up')
      this.#data = Buffer.concat([this.#data, value])
    }
    return this.#data
  }

  async #take(length: number): Promise<Buffer> {
    const packet = (await this.#peek(length)).subarray(0, length)
    this.#data = this.#data.subarray(length)
    return packet
  }
}
