/** A fake PostgreSQL server: enough of protocol 3.0 for a driver to connect with a password and read a number. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const STARTUP = 0
const PASSWORD = 'p'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)
const SSL_REQUEST = 80_877_103

export class Database {
  readonly passwords: string[] = []
  readonly #server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => this.#answer(socket, data))
  })

  /** Stops after the test. */
  static async start(): Promise<Database> {
    const database = new Database()
    await once(database.#server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void database.#server.close())
    return database
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** A driver waits for the answer before it sends its next message, so `data` has one message. */
  #answer(socket: Socket, data: Buffer): void {
    switch (data[0]) {
      case STARTUP:
        socket.write(data.readInt32BE(4) === SSL_REQUEST ? 'N' : message('R', int32(3)))
        break
      case PASSWORD: {
        this.passwords.push(data.subarray(5, -1).toString())
        const version = message('S', text('server_version'), text('15.0'))
        const encoding = message('S', text('client_encoding'), text('UTF8'))
        socket.write(Buffer.concat([message('R', int32(0)), version, encoding, READY]))
        break
      }
      case QUERY: {
        const query = data.subarray(5, -1).toString()
        socket.write(Buffer.concat([...rows(query), message('C', text('SELECT 1')), READY]))
        break
      }
      default:
        socket.end()
    }
  }
}

function rows(query: string): Buffer[] {
  if (!/^(select|show)/i.test(query)) return []
  const value = /version\(\)/.test(query) ? 'PostgreSQL 15.0' : /^select 42/i.test(query) ? '42' : 'on'
  // PostgreSQL's number for the type of the only column: 23 is int4, 25 is text.
  const type = value === '42' ? 23 : 25
  const column = Buffer.concat([text('value'), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])
  const head = message('T', int16(1), column)
  // A query about custom types gets no rows.
  if (/pg_type/.test(query)) return [head]
  return [head, message('D', int16(1), int32(value.length), Buffer.from(value))]
}

const int16 = (value: number) => Buffer.from(new Uint8Array([value >> 8, value]))
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value)])
const text = (value: string) => Buffer.from(`${value}\0`)

function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

const READY = message('Z', Buffer.from('I'))
