import { bundle } from './build.mjs'
import { main } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'

await main(async () => {
  await ensurePackages()
  await bundle('simulation/main.ts')
  const program = [inProject('out', 'simulation', 'main.mjs'), ...process.argv.slice(2)]
  const { code } = await run(process.execPath, program, { show: true })
  return code
})
