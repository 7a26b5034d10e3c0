/** Measures the agent beside what else hands out secrets on a desktop. Run with `npm run bench:agent`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measures.ts'
import { columns, rowsOf, table, targetsOf } from './report.ts'
import { startSubjects } from './subjects.ts'
import { hold } from './trials.ts'

const FILE = path.resolve('out/bench/agent.json')

const load = () => loadavg().map((each) => Number(each.toFixed(2)))

async function bench(args: readonly string[]): Promise<void> {
  const options = {
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean' },
    'no-app': { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const rounds = Number(values.rounds ?? (values.quick ? 3 : 15))
  const scale = values.quick ? 0.1 : 1
  const began = { at: new Date().toISOString(), load: load() }
  const subjects = await startSubjects({ withApp: !values['no-app'] })
  try {
    const onRound = (round: number) => console.log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    const rows = rowsOf(await measure(subjects, { rounds, scale, only: values.only, onRound }))
    const targets = targetsOf(rows)
    const trials = values.only === '' || values.only === 'trials' ? await hold(subjects) : []
    const machine = {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      loadBefore: began.load,
      loadAfter: load(),
    }
    const missing = Object.fromEntries(subjects.missing)
    mkdirSync(path.dirname(FILE), { recursive: true })
    writeFileSync(
      FILE,
      `${JSON.stringify({ at: began.at, machine, rounds, rows, targets, trials, missing }, null, 2)}\n`,
    )

    console.log(`\n${table(rows)}\n`)
    console.log(
      'Milliseconds as the median of the rounds (quartiles). "of floor": times what the first line took in the',
    )
    console.log('same round; for the app, the bare server in Electron.\n')
    for (const [name, why] of subjects.missing) console.log(`${name}: ${why}`)
    const verdicts = targets.map(({ what, value, most, isReached }) => [
      isReached ? 'reached' : 'MISSED',
      value.toFixed(3),
      `at most ${most}`,
      what,
    ])
    console.log(`\n${columns(verdicts)}`)
    for (const { what, outcomes } of trials) {
      console.log(`\n${what}`)
      for (const [contender, outcome] of Object.entries(outcomes)) console.log(`  ${contender}: ${outcome}`)
    }
    console.log()
    console.log(`${machine.processor}, ${machine.cores} cores, ${machine.platform}, Node ${machine.node}`)
    console.log(`load before ${machine.loadBefore.join(' ')}, after ${machine.loadAfter.join(' ')}; ${rounds} rounds`)
    console.log(`also in ${path.relative('.', FILE)}`)
  } finally {
    await subjects.stop()
  }
}

bench(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
