/** `node scripts/simulate-fleet.mjs`: what ten thousand desktops do to the service in a week, and to their users. */
import { parseArgs } from 'node:util'
import { REFRESH_TIMEOUT_MS } from '../main/service/request.ts'
import { runFleet } from './fleet.ts'
import { table } from './table.ts'
import { SECOND, WEEK } from './week.ts'

const GRACE = 30 * SECOND

const FLEETS = [
  { name: 'Latchkey', client: 'latchkey', grace: GRACE },
  { name: 'Latchkey, no grace', client: 'latchkey', grace: 0 },
  { name: 'fixed interval', client: 'naive', grace: GRACE },
] as const

async function main(): Promise<void> {
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
  const began = performance.now()
  console.log(`${desktops.toLocaleString('en')} desktops, a week, ${lostPercent} % of the replies to a refresh lost.\n`)
  const lossNoticedAfter = values.silent ? REFRESH_TIMEOUT_MS : 0
  const fleets = []
  for (const { name, client, grace } of FLEETS) {
    const options = { client, grace, schedule: WEEK, from: 0, to: desktops, lostPercent, lossNoticedAfter }
    fleets.push({ name, result: await runFleet(options) })
  }
  console.table(table(fleets, WEEK))
  const took = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`\nIt took ${took} s.`)
}

await main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
