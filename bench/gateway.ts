/** Compares the gateway with a bare server that pipes requests. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { run } from '../test/keyring/programs.ts'
import { ordinaryUser } from '../test/support/ordinary-user.ts'
import type { Desktop } from './desktop.ts'
import { during } from './program.ts'
import { type Figure, interleave, median } from './report.ts'

const DOWNLOAD = 1024 ** 3
const FIRST_BYTES = 200
/** Linux gives these ports to no program that asks for a free one. */
const PORT = 17_801
const BARE_PORT = 17_802

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

export async function gateway({ programs, socketOf, cli, home }: Desktop, rounds: number): Promise<Figure[]> {
  const service = new Worker(SERVICE, { eval: true })
  const servicePort = await new Promise<number>((resolve) => service.once('message', resolve))
  const variables = {
    LATCHKEY_GATEWAY: 'true',
    LATCHKEY_GATEWAY_PORT: String(PORT),
    LATCHKEY_DATA_ADDRESS: `http://127.0.0.1:${servicePort}`,
  }
  const latchkey = { ...programs.latchkey, env: { ...programs.latchkey.env, ...variables } }
  const barePipe = {
    ...programs.barePipe,
    env: { ...programs.barePipe.env, BENCH_PIPE: `${BARE_PORT},${servicePort}` },
  }
  const agent = new Agent({ keepAlive: true })
  try {
    return await during(latchkey, () =>
      during(barePipe, async () => {
        const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LATCHKEY_SOCKET: socketOf(latchkey) }
        const password = await eventually(async () => {
          const { code, stdout, stderr } = await run(cli, ['gateway', '--new-password'], { env, ...ordinaryUser() })
          if (code !== 0) throw new Error(stderr)
          return stdout.trim()
        })
        const get = (port: number, bytes: number) => download({ port, agent, auth: `latchkey:${password}` }, bytes)
        for (const port of [PORT, BARE_PORT]) await eventually(() => get(port, 1))
        const first = (port: number) => async () => {
          const times: number[] = []
          for (let n = 0; n < FIRST_BYTES; n++) times.push((await get(port, 100)).firstMs)
          return median(times)
        }
        const whole = (port: number) => async () => (await get(port, DOWNLOAD)).wholeMs
        const firsts = await interleave(rounds, { latchkey: first(PORT), bare: first(BARE_PORT) })
        const wholes = await interleave(Math.ceil(rounds / 4), { latchkey: whole(PORT), bare: whole(BARE_PORT) })
        return [
          { name: 'first-byte', what: 'gateway: first byte', unit: 'ms', limit: 1.5, ...firsts },
          { name: 'download', what: 'gateway: download of 1 GB', unit: 'ms', limit: 1.25, ...wholes },
        ]
      }),
    )
  } finally {
    agent.destroy()
    await service.terminate()
  }
}

function download(
  from: { readonly port: number; readonly agent: Agent; readonly auth: string },
  bytes: number,
): Promise<{ firstMs: number; wholeMs: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstMs = 0
    let size = 0
    const asked = request({ host: '127.0.0.1', path: `/${bytes}`, ...from }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        firstMs ||= performance.now() - startedAt
        size += chunk.length
      })
      answer.on('end', () => {
        if (answer.statusCode === 200 && size === bytes) resolve({ firstMs, wholeMs: performance.now() - startedAt })
        else reject(new Error(`port ${from.port} answered ${answer.statusCode} with ${size} bytes`))
      })
      answer.on('error', reject)
    })
    asked.on('error', reject).end()
  })
}

/** Repeats the work until it succeeds, because the programs need a moment to start. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < 100; tries++) {
    try {
      return await work()
    } catch {
      await sleep(200)
    }
  }
  return work()
}
