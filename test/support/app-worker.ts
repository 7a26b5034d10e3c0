import { afterAll, inject } from 'vitest'
import { startDisplay } from '../../scripts/run/display.mjs'

Object.assign(process.env, inject('variables'))
// Terminals in Electron-based editors set this variable, which would make Electron run as plain Node.
delete process.env['ELECTRON_RUN_AS_NODE']
// Each file has its own display, so that files can run at the same time, and no window disturbs the user.
if (process.platform === 'linux') {
  const { env, stop } = await startDisplay({ openToLocalUsers: process.getuid?.() === 0 })
  delete process.env['WAYLAND_DISPLAY']
  Object.assign(process.env, env)
  afterAll(stop)
}
