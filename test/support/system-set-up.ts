import { startDisplay } from '../../scripts/run/display.mjs'
import { ensureSystem } from '../../scripts/setup/system.mjs'

/** Installs the system's packages that the tests use, and starts a display: some open a window of another program. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  await ensureSystem({ display: true, tests: true })
  if (process.platform !== 'linux') return undefined
  const { env, stop } = await startDisplay()
  Object.assign(process.env, env)
  return stop
}
