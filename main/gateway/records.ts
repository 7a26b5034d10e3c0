import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import * as v from 'valibot'
import type { Remembered } from '../base/key-value-store.ts'

const recordSchema = v.object({
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535))),
  passwordHash: v.optional(v.string()),
})
const schema = v.fallback(v.record(v.string(), v.fallback(recordSchema, {})), {})

type GatewayRecord = v.InferOutput<typeof recordSchema>

/** The port and the password's hash of each gateway, which the settings file keeps by the connection's base address. */
export class GatewayRecords {
  readonly #stored: Remembered<Readonly<Record<string, GatewayRecord>>>

  constructor(stored: Remembered<Readonly<Record<string, GatewayRecord>>>) {
    this.#stored = stored
  }

  of(baseAddress: string): GatewayRecord {
    const records = v.parse(schema, this.#stored.get())
    return (Object.hasOwn(records, baseAddress) && records[baseAddress]) || {}
  }

  set(baseAddress: string, values: GatewayRecord): void {
    const records = v.parse(schema, this.#stored.get())
    this.#stored.set({ ...records, [baseAddress]: { ...this.of(baseAddress), ...values } })
  }

  /** The port is chosen only once, because tools are set up with the gateway's address. */
  async port(baseAddress: string): Promise<number> {
    const { port = await freePort() } = this.of(baseAddress)
    this.set(baseAddress, { port })
    return port
  }
}

/** Below the range for outgoing connections (Linux: from 32768), so that none of them takes the gateway's port. */
const FIRST = 20_000
const LAST = 32_000
const MOST_TRIES = 20

async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST, LAST)
    if (tries === MOST_TRIES || (await isFree(port))) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
  })
