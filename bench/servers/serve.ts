import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts one of the servers in a process of its own; resolves when it listens. */
export async function startServer(name: 'agent' | 'bare', order: object): Promise<ServerProcess> {
  const file = fileURLToPath(new URL(`./${name}-server.mjs`, import.meta.url))
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] })
  child.send(order)
  await Promise.race([once(child, 'message'), failure(name, child)])
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill()
      await exit
    },
  }
}

async function failure(name: string, child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`the ${name} server ended with ${code ?? signal}`)
}

/** In the server's process: takes the order, and ends with whoever gave it. */
export async function takeOrder<T>(): Promise<T> {
  process.once('disconnect', () => process.exit())
  const [order] = await once(process, 'message')
  return order
}

/** In the server's process: it listens. */
export const ready = (): void => void process.send?.('ready')
