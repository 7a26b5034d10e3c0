/** A SOCKS proxy of version 5 (RFC 1928, RFC 1929) and 4a. It alone can resolve the names of the test's services. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tcpServer } from '../local-servers.ts'
import { type Names, tunnel } from './tunnel.ts'

interface SocksProxyOptions {
  readonly names: Names
  readonly login?: { readonly username: string; readonly password: string }
}

async function bytes(client: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0)
  for (;;) {
    const read: Buffer | null = client.read(count)
    if (read !== null) return read
    await once(client, 'readable')
  }
}

const field = async (client: Socket) => (await bytes(client, (await bytes(client, 1))[0] ?? 0)).toString()

async function text(client: Socket): Promise<string> {
  let read = ''
  for (;;) {
    const [byte = 0] = await bytes(client, 1)
    if (byte === 0) return read
    read += String.fromCharCode(byte)
  }
}

async function target5(client: Socket): Promise<string> {
  const [, , , type] = await bytes(client, 4)
  const host = type === 3 ? await field(client) : [...(await bytes(client, type === 4 ? 16 : 4))].join('.')
  return `${host}:${(await bytes(client, 2)).readUInt16BE()}`
}

async function target4(client: Socket): Promise<string> {
  const [, high = 0, low = 0, ...address] = await bytes(client, 7)
  await text(client)
  const isNamed = address.slice(0, 3).every((byte) => byte === 0)
  return `${isNamed ? await text(client) : address.join('.')}:${high * 256 + low}`
}

export async function startSocksProxy({ names, login }: SocksProxyOptions) {
  const heard: string[] = []
  const asked: string[] = []
  const logins: string[] = []

  async function greet5(client: Socket): Promise<boolean> {
    const wanted = login === undefined ? 0 : 2
    const isOffered = (await bytes(client, (await bytes(client, 1))[0] ?? 0)).includes(wanted)
    client.write(Buffer.from([5, isOffered ? wanted : 0xff]))
    if (!isOffered || login === undefined) return isOffered
    await bytes(client, 1)
    const given = `${await field(client)}:${await field(client)}`
    logins.push(given)
    const isRight = given === `${login.username}:${login.password}`
    client.write(Buffer.from([1, isRight ? 0 : 1]))
    return isRight
  }

  async function serve(client: Socket): Promise<void> {
    const [version] = await bytes(client, 1)
    if (version === 5 && !(await greet5(client))) return void client.end()
    const target = version === 5 ? await target5(client) : await target4(client)
    asked.push(target)
    const port = names[target.replace(/:\d+$/, '')]
    const reply = (isGranted: boolean) =>
      version === 5
        ? Buffer.from([5, isGranted ? 0 : 4, 0, 1, 0, 0, 0, 0, 0, 0])
        : Buffer.from([0, isGranted ? 90 : 91, 0, 0, 0, 0, 0, 0])
    if (port === undefined) return void client.end(reply(false))
    const far = connect(port, '127.0.0.1', () => client.write(reply(true)))
    tunnel(client, far, heard)
  }

  const { port, stop } = await tcpServer((client) => {
    serve(client).catch(() => client.destroy())
  })
  return { port, heard, asked, logins, stop }
}
