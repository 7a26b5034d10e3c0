/** Compares the gateway with a bare server that pipes requests: the time to the first byte, and that of a download. */
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ordinaryUser } from '../test/support/ordinary-user.ts'
import { output } from './commands.ts'
import type { Desktop } from './desktop.ts'
import { during } from './program.ts'
import type { Figure } from './report.ts'
import { interleave } from './rounds.ts'
import { median } from './statistics.ts'

const DOWNLOAD = 1024 ** 3
const FIRST_BYTES = 200

/** A data service in a thread of its own. The path of a request says how many bytes to send. */
const SERVICE = `
const { parentPort } = require('node:worker_threads')
const chunk = Buffer.alloc(65536)
const server = require('node:http').createServer((asked, answer) => {
  let left = Number(asked.url.slice(1))
  answer.writeHead(200, { 'content-length': String(left) })
  const fill = () => {
    for (; left > 0; ) {
      const size = Math.min(left, chunk.length)
      left -= size
      if (!answer.write(size === chunk.length ? chunk : chunk.subarray(0, size))) return void answer.once('drain', fill)
    }
    answer.end()
  }
  fill()
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

interface Side {
  readonly port: number
  readonly authorization: string
  readonly agent: Agent
}

export async function gateway(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { programs, socketOf, cli, home } = desktop
  const service = new Worker(SERVICE, { eval: true })
  const servicePort = await new Promise<number>((resolve) => service.once('message', resolve))
  const [port, barePort] = [await freePort(), await freePort()]
  const latchkey = {
    ...programs.latchkey,
    env: {
      ...programs.latchkey.env,
      LATCHKEY_GATEWAY: 'true',
      LATCHKEY_GATEWAY_PORT: String(port),
      LATCHKEY_DATA_ADDRESS: `http://127.0.0.1:${servicePort}`,
    },
  }
  const barePipe = {
    ...programs.bareServer,
    env: { ...programs.bareServer.env, BENCH_PIPE: `${barePort},${servicePort}` },
  }
  try {
    return await during(latchkey, () =>
      during(barePipe, async () => {
        const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LATCHKEY_SOCKET: socketOf(latchkey) }
        const words = [cli, 'gateway', '--new-password']
        const password = await eventually(() => output({ words, env, ...ordinaryUser() }))
        const authorization = `Basic ${Buffer.from(`latchkey:${password}`).toString('base64')}`
        const sides = [port, barePort].map((each) => ({
          port: each,
          authorization,
          agent: new Agent({ keepAlive: true }),
        }))
        const [ours, bare] = sides as [Side, Side]
        for (const side of sides) await eventually(() => get(side, 1))
        const first = async (side: Side) => {
          const times: number[] = []
          for (let n = 0; n < FIRST_BYTES; n++) times.push((await get(side, 100)).firstMs)
          return median(times)
        }
        const download = async (side: Side) => (await get(side, DOWNLOAD)).wholeMs
        const firsts = await interleave(rounds, { latchkey: () => first(ours), bare: () => first(bare) })
        const wholes = await interleave(Math.ceil(rounds / 4), {
          latchkey: () => download(ours),
          bare: () => download(bare),
        })
        for (const { agent } of sides) agent.destroy()
        return [
          { name: 'first-byte', what: 'gateway: first byte', unit: 'ms', limit: 1.5, ...firsts },
          { name: 'download', what: 'gateway: download of 1 GB', unit: 'ms', limit: 1.25, ...wholes },
        ]
      }),
    )
  } finally {
    await service.terminate()
  }
}

function get({ port, authorization, agent }: Side, bytes: number): Promise<{ firstMs: number; wholeMs: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstMs = 0
    let size = 0
    const asked = request(
      { host: '127.0.0.1', port, path: `/${bytes}`, headers: { authorization }, agent },
      (answer) => {
        answer.on('data', (chunk: Buffer) => {
          firstMs ||= performance.now() - startedAt
          size += chunk.length
        })
        answer.on('end', () => {
          if (answer.statusCode === 200 && size === bytes) resolve({ firstMs, wholeMs: performance.now() - startedAt })
          else reject(new Error(`port ${port} answered ${answer.statusCode} with ${size} bytes`))
        })
        answer.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

/** Repeats the work until it succeeds, because the programs need a moment to start. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(200)
    }
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
