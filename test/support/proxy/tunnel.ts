import type { Socket } from 'node:net'

export type Names = { readonly [name: string]: number }

export interface RunningProxy {
  readonly port: number
  /** The targets of all tunnels, the oldest first: `service.test:443`. */
  readonly asked: readonly string[]
  readonly heard: readonly string[]
  stop(): void
}

export function tunnel(client: Socket, far: Socket, heard: string[], head: Buffer = Buffer.alloc(0)): void {
  client.on('data', (data: Buffer) => heard.push(data.toString('latin1')))
  far.write(head)
  far.pipe(client)
  client.pipe(far)
  far.on('error', () => client.destroy())
  far.on('close', () => client.destroy())
  client.on('close', () => far.destroy())
}
