/**
 * A real SOCKS proxy on 127.0.0.1, of version 5 (RFC 1928, RFC 1929) and 4a. It alone can resolve the names of the
 * test's services.
 */
import { connect, type Socket } from 'node:net'
import { tcpServer } from '../local-servers.ts'
import { type Names, type RunningProxy, tunnel } from './tunnel.ts'

export interface SocksProxyOptions {
  readonly names: Names
  /** The credentials that the proxy accepts in version 5; by default any. */
  readonly login?: { readonly username: string; readonly password: string }
}

export interface SocksProxy extends RunningProxy {
  readonly logins: readonly string[]
}

/** Reads a message from a socket, part by part. */
class Reader {
  readonly #socket: Socket
  #held = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async bytes(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more()
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return taken
  }

  async text(): Promise<string> {
    while (!this.#held.includes(0)) await this.#more()
    const taken = this.#held.subarray(0, this.#held.indexOf(0))
    this.#held = this.#held.subarray(taken.length + 1)
    return taken.toString('latin1')
  }

  rest(): Buffer {
    return this.#held
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('close', reject)
      this.#socket.once('data', (data: Buffer) => {
        this.#socket.off('close', reject)
        this.#held = Buffer.concat([this.#held, data])
        resolve()
      })
    })
  }
}

export async function startSocksProxy({ names, login }: SocksProxyOptions): Promise<SocksProxy> {
  const heard: string[] = []
  const asked: string[] = []
  const logins: string[] = []

  async function greet5(reader: Reader, client: Socket): Promise<boolean> {
    const [count = 0] = await reader.bytes(1)
    const wanted = login === undefined ? 0 : 2
    const isOffered = (await reader.bytes(count)).includes(wanted)
    client.write(Buffer.from([5, isOffered ? wanted : 0xff]))
    if (!isOffered || login === undefined) return isOffered
    const field = async () => (await reader.bytes((await reader.bytes(1))[0] ?? 0)).toString()
    await reader.bytes(1)
    const given = `${await field()}:${await field()}`
    logins.push(given)
    const isRight = given === `${login.username}:${login.password}`
    client.write(Buffer.from([1, isRight ? 0 : 1]))
    return isRight
  }

  /** The target of a request of version 5, as `host:port`. */
  async function target5(reader: Reader): Promise<string> {
    const [, , , type] = await reader.bytes(4)
    const host =
      type === 3
        ? (await reader.bytes((await reader.bytes(1))[0] ?? 0)).toString()
        : [...(await reader.bytes(type === 4 ? 16 : 4))].join('.')
    return `${host}:${(await reader.bytes(2)).readUInt16BE()}`
  }

  async function target4(reader: Reader): Promise<string> {
    const [, high = 0, low = 0, ...address] = await reader.bytes(7)
    await reader.text()
    const isNamed = address.slice(0, 3).every((byte) => byte === 0)
    return `${isNamed ? await reader.text() : address.join('.')}:${high * 256 + low}`
  }

  async function serve(client: Socket): Promise<void> {
    const reader = new Reader(client)
    const [version] = await reader.bytes(1)
    if (version === 5 && !(await greet5(reader, client))) return void client.end()
    const target = version === 5 ? await target5(reader) : await target4(reader)
    asked.push(target)
    const port = names[target.replace(/:\d+$/, '')]
    const reply = (isGranted: boolean) =>
      version === 5
        ? Buffer.from([5, isGranted ? 0 : 4, 0, 1, 0, 0, 0, 0, 0, 0])
        : Buffer.from([0, isGranted ? 90 : 91, 0, 0, 0, 0, 0, 0])
    if (port === undefined) return void client.end(reply(false))
    const far = connect(port, '127.0.0.1', () => client.write(reply(true)))
    tunnel(client, far, heard, reader.rest())
  }

  const { port, stop } = await tcpServer((client) => {
    serve(client).catch(() => client.destroy())
  })
  return { port, heard, asked, logins, stop }
}
