/** Measures the app beside bare ones. Run with `npm run bench`. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { ANA } from '../demo/users.ts'
import { type Desk, openDesk } from './app/desk.ts'
import type { EngineOrder } from './app/engine.ts'
import { idle, memory, type RestTimes } from './app/rest.ts'
import type { Figure } from './app/rounds.ts'
import { openAgain, startHidden, startShown } from './app/starts.ts'
import { type Row, rowOf, type Size, table } from './app/summary.ts'

const FOLDER = path.resolve('out/bench')
/** Fewer rounds tell nothing to believe. */
const ENOUGH = 10

const load = () => loadavg().map((each) => Number(each.toFixed(2)))

async function engine({ service }: Desk, rounds: number): Promise<Figure[]> {
  const { username, password } = ANA
  const order: EngineOrder = { baseAddress: service.address, username, password, rounds, sessions: 40 }
  const script = fileURLToPath(new URL('engine.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(order)])
  return JSON.parse(stdout)
}

/** By the name that `--only` takes. */
const measures = (rounds: number, times: RestTimes): Record<string, (desk: Desk) => Promise<Figure[]>> => ({
  start: (desk) => startHidden(desk, rounds),
  form: (desk) => startShown(desk, rounds),
  window: (desk) => openAgain(desk, rounds),
  engine: (desk) => engine(desk, rounds),
  memory: (desk) => memory(desk, rounds, times),
  idle: (desk) => idle(desk, times),
})

async function bench(args: readonly string[]): Promise<void> {
  const options = {
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '[]' },
    electron: { type: 'string', default: 'unknown' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number, 1 or more')
  const sizes: readonly Size[] = JSON.parse(values.sizes)
  const times: RestTimes = values.short ? { settle: 10, idle: 60 } : { settle: 60, idle: 600 }
  const [at, loadBefore] = [new Date().toISOString(), load()]
  const rows: Row[] = []
  const all = measures(rounds, times)
  const unknown = values.only?.filter((name) => !Object.hasOwn(all, name)) ?? []
  if (unknown.length > 0) throw new Error(`--only takes ${Object.keys(all).join(', ')}, and not ${unknown.join(', ')}`)
  const desk = await openDesk()
  try {
    for (const [name, take] of Object.entries(all)) {
      if (values.only !== undefined && !values.only.includes(name)) continue
      console.log(`measuring: ${name}`)
      rows.push(...(await take(desk)).map(rowOf))
    }
  } finally {
    await desk.stop()
  }
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    electron: values.electron,
    loadBefore,
    loadAfter: load(),
  }
  mkdirSync(FOLDER, { recursive: true })
  // What was measured in part, or in a hurry, doesn't take the place of the whole.
  const hasAll = values.only === undefined && sizes.some(({ name }) => name === 'asar')
  const isWhole = hasAll && !values.short && rounds >= ENOUGH
  const file = path.join(FOLDER, isWhole ? 'app.json' : 'app-part.json')
  writeFileSync(file, `${JSON.stringify({ at, machine, rounds, short: values.short, rows, sizes }, null, 2)}\n`)
  console.log(`\n${table(rows, sizes)}\n`)
  console.log('Medians of the rounds (quartiles); a ratio is taken within each round.')
  console.log(agentLine(path.join(FOLDER, 'agent.json')))
  console.log(`${machine.processor}, ${machine.cores} cores, ${machine.platform}, Electron ${machine.electron}`)
  console.log(`load before ${machine.loadBefore.join(' ')}, after ${machine.loadAfter.join(' ')}; ${rounds} rounds`)
  if (rounds < ENOUGH) console.log(`Fewer than ${ENOUGH} rounds: not to be believed.`)
  console.log(`also in ${path.relative('.', file)}`)
}

function agentLine(file: string): string {
  if (!existsSync(file)) return 'agent: npm run bench:agent has not been run'
  const { at, targets } = JSON.parse(readFileSync(file, 'utf8'))
  const reached = targets.filter((target: { readonly isReached: boolean }) => target.isReached).length
  return `agent: ${reached} of ${targets.length} targets reached on ${at} (${path.relative('.', file)})`
}

bench(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
