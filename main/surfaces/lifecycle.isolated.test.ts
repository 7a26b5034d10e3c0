import { EventEmitter } from 'node:events'
import type { Tray } from 'electron'
import { expect, it, vi } from 'vitest'

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  return { app: new Emitter(), powerMonitor: new Emitter() }
})
const { EarlyCalls } = await import('./lifecycle.ts')

it.each([
  ['linux', true],
  ['win32', true],
  ['darwin', false],
] as const)('on %s, EarlyCalls treats a click on the tray icon as a request for the window: %s', (platform, asks) => {
  const calls = new EarlyCalls()
  const tray = new EventEmitter()
  calls.listen(tray as Tray, platform)
  tray.emit('click')
  expect(calls.end()).toBe(asks)
})
