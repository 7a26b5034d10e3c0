/** Asks a window to close as a window manager does, where there is none: ICCCM section 4.2.8, WM_DELETE_WINDOW. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** X Window System Protocol, appendix B: what is sent, in this machine's least significant byte first. */
const SETUP = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const INTERN_ATOM = 16
const SEND_EVENT = 25
const CLIENT_MESSAGE = 33

/** @param display its number, with no cookie. */
export async function closeWindow(display: number, window: number): Promise<void> {
  const server = connect(`/tmp/.X11-unix/X${display}`)
  try {
    await ask(server, SETUP, (answer) => answer.length >= 8 && answer.length >= 8 + answer.readUInt16LE(6) * 4)
    const [protocols, deletes] = [await atom(server, 'WM_PROTOCOLS'), await atom(server, 'WM_DELETE_WINDOW')]
    const event = Buffer.alloc(44)
    event.writeUInt8(SEND_EVENT, 0)
    event.writeUInt16LE(event.length / 4, 2)
    event.writeUInt32LE(window, 4)
    event.writeUInt8(CLIENT_MESSAGE, 12)
    event.writeUInt8(32, 13)
    for (const [at, value] of [window, protocols, deletes].entries()) event.writeUInt32LE(value, 16 + at * 4)
    server.write(event)
    // An answer comes after all that was asked before.
    await atom(server, 'WM_PROTOCOLS')
  } finally {
    server.destroy()
  }
}

async function atom(server: Socket, name: string): Promise<number> {
  const padded = Math.ceil(name.length / 4) * 4
  const request = Buffer.alloc(8 + padded)
  request.writeUInt8(INTERN_ATOM, 0)
  request.writeUInt16LE(request.length / 4, 2)
  request.writeUInt16LE(name.length, 4)
  request.write(name, 8, 'latin1')
  const answer = await ask(server, request, ({ length }) => length >= 32)
  return answer.readUInt32LE(8)
}

async function ask(server: Socket, request: Buffer, isWhole: (answer: Buffer) => boolean): Promise<Buffer> {
  server.write(request)
  let answer = Buffer.alloc(0)
  while (!isWhole(answer)) {
    const [chunk] = await once(server, 'data')
    answer = Buffer.concat([answer, chunk])
  }
  if (answer[0] !== 1) throw new Error(`the display refused: ${answer.toString('latin1')}`)
  return answer
}
