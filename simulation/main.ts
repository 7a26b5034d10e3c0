/** `node scripts/simulate-fleet.mjs`: what ten thousand desktops do to the service in a week, and to their users. */
import { parseArgs } from 'node:util'
import { REFRESH_TIMEOUT_MS } from '../main/service/request.ts'
import { runFleet } from './fleet.ts'
import { column } from './table.ts'
import { SECOND, WEEK } from './week.ts'

const GRACE = 30 * SECOND

const FLEETS = {
  Latchkey: { client: 'latchkey', grace: GRACE },
  'Latchkey, no grace': { client: 'latchkey', grace: 0 },
  'fixed interval': { client: 'naive', grace: GRACE },
} as const

const { values } = parseArgs({
  options: {
    desktops: { type: 'string', default: '10000' },
    lost: { type: 'string', default: '1' },
    // With this option, a client notices a lost reply only when its request times out.
    silent: { type: 'boolean', default: false },
  },
})
const desktops = Number(values.desktops)
const lostPercent = Number(values.lost)
if (!Number.isInteger(desktops) || desktops < 1) throw new Error('--desktops takes a whole number, 1 or more')
if (!(lostPercent >= 0 && lostPercent <= 100)) throw new Error('--lost takes a percentage, 0 to 100')

console.log(`${desktops.toLocaleString('en')} desktops, a week, ${lostPercent} % of the replies to a refresh lost.\n`)
const rows: Record<string, Record<string, string>> = {}
for (const [name, fleet] of Object.entries(FLEETS)) {
  const lossNoticedAfter = values.silent ? REFRESH_TIMEOUT_MS : 0
  const result = await runFleet({ ...fleet, schedule: WEEK, desktops, lostPercent, lossNoticedAfter })
  for (const [title, cell] of Object.entries(column(result, WEEK))) rows[title] = { ...rows[title], [name]: cell }
}
console.table(rows)
console.log(`\nIt took ${(performance.now() / 1000).toFixed(0)} s.`)
