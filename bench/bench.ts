/** Measures Latchkey against its performance budgets, on Linux: `npm run bench`. See docs/developers/performance.md. */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { agent } from './agent.ts'
import { type Desktop, openDesktop } from './desktop.ts'
import { gateway } from './gateway.ts'
import { type Figure, rowOf } from './report.ts'
import { memory, wakeUps } from './rest.ts'
import { reopen, startHidden, startShown } from './starts.ts'

interface Measure {
  /** The names of the rows that the measurement adds to the table. `--only` accepts them. */
  readonly rows: readonly string[]
  readonly rounds: number
  take(desktop: Desktop, rounds: number): Promise<readonly Figure[]>
}

const MEASURES: readonly Measure[] = [
  { rows: ['icon', 'token'], rounds: 12, take: startHidden },
  { rows: ['form'], rounds: 12, take: startShown },
  { rows: ['reopen'], rounds: 10, take: reopen },
  { rows: ['memory'], rounds: 2, take: memory },
  { rows: ['wake-ups'], rounds: 4, take: wakeUps },
  { rows: ['kept', 'clients', 'refused', 'command', 'refresh'], rounds: 12, take: agent },
  { rows: ['first-byte', 'download'], rounds: 12, take: gateway },
]

const loadNow = () => loadavg().map((each) => each.toFixed(1))

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    electron: { type: 'string', default: 'unknown' },
  },
})
const names = MEASURES.flatMap(({ rows }) => rows)
const wanted = values.only ?? names
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`--only takes ${names.join(', ')}, not ${unknown.join(', ')}`)
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds takes 1 or more')

const loadBefore = loadNow()
const figures: Figure[] = []
const desktop = await openDesktop()
try {
  for (const measure of MEASURES) {
    const rows = measure.rows.filter((name) => wanted.includes(name))
    if (rows.length === 0) continue
    console.log(`Measuring: ${rows.join(', ')}`)
    const taken = await measure.take(desktop, rounds ?? measure.rounds)
    figures.push(...taken.filter(({ name }) => rows.includes(name)))
  }
} finally {
  await desktop.stop()
}
const rows = figures.map(rowOf)
console.table(Object.fromEntries(rows.map(({ what, ...cells }) => [what, cells])))
console.log('Medians (quartiles). A ratio is the ratio of the medians; its quartiles are of the rounds.')
const machine = [cpus()[0]?.model, `${availableParallelism()} cores`, `Electron ${values.electron}`]
console.log(`${machine.join(', ')}, Node ${process.version}`)
console.log(`Load: before ${loadBefore.join(' ')}, after ${loadNow().join(' ')}`)
if (rows.some(({ isOver }) => isOver)) process.exitCode = 1
