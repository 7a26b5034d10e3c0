import { EventEmitter } from 'node:events'
import type { Tray } from 'electron'
import { expect, it, vi } from 'vitest'

const { quit, hidden } = vi.hoisted(() => ({ quit: vi.fn(), hidden: [] as EventEmitter[] }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class BaseWindow extends Emitter {
    constructor(readonly options: unknown) {
      super()
      hidden.push(this)
    }
  }
  return { app: Object.assign(new Emitter(), { quit }), powerMonitor: new Emitter(), BaseWindow }
})
const { app } = await import('electron')
const { EarlyCalls, quitOnSignals, registerLifecycle } = await import('./lifecycle.ts')

it.each<[string, boolean, (tray: EventEmitter) => unknown]>([
  ['a second start', true, () => app.emit('second-instance', {}, ['latchkey-desktop'])],
  ['a second hidden start', false, () => app.emit('second-instance', {}, ['latchkey-desktop', '--hidden'])],
  ['a click on the tray icon', true, (tray) => tray.emit('click')],
])('%s while the app loads opens the window later: %s', (_, isOpened, act) => {
  const [calls, tray] = [new EarlyCalls(), new EventEmitter()]
  calls.listen(tray as Tray, 'linux')
  act(tray)
  expect(calls.end()).toBe(isOpened)
})

it('each signal that ends a process quits the app, even when the signal is repeated', () => {
  const process = new EventEmitter()
  const end = vi.fn()
  quitOnSignals(process, { quit: end })
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) process.emit(signal)
  expect(end).toHaveBeenCalledTimes(7)
})

it('only on Windows, a hidden window waits for the end of the session, which quits the app', () => {
  const lifecycle = { show: () => {}, stop: async () => {}, isStuck: () => false }
  registerLifecycle(lifecycle, 'linux')
  expect(hidden).toEqual([])
  registerLifecycle(lifecycle, 'win32')
  expect(hidden).toMatchObject([{ options: { show: false } }])
  const preventDefault = () => expect.unreachable('Windows would end the app at once')
  hidden[0]?.emit('query-session-end', { preventDefault })
  hidden[0]?.emit('session-end')
  expect(quit).toHaveBeenCalledTimes(2)
})
