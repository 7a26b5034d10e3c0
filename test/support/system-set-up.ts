import { startDisplay } from '../../scripts/run/display.mjs'
import { ensureSystem } from '../../scripts/setup/system.mjs'

/** Sets up the system's packages for the tests, and a display, because some tests open another program's window. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  await ensureSystem({ display: true, tests: true })
  if (process.platform !== 'linux') return undefined
  const { env, stop } = await startDisplay()
  Object.assign(process.env, env)
  return stop
}
