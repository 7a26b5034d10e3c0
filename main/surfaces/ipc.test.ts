import { EventEmitter } from 'node:events'
import type { IpcMain, WebContents } from 'electron'
import { describe, expect, it } from 'vitest'
import { calls, type Handlers } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import { Changes, ViewStore } from '../app/view-store.ts'
import { answerCall, Ipc, isOurs } from './ipc.ts'

const ours = {}
const OUR_PAGE = 'app://latchkey/index.html'
const frame = (url: string, parent: unknown = null) => ({ url, parent })

it.each([
  ['our page in our window’s main frame', { sender: ours, senderFrame: frame(OUR_PAGE) }, true],
  ['another window', { sender: {}, senderFrame: frame(OUR_PAGE) }, false],
  ['a frame inside our page', { sender: ours, senderFrame: frame(OUR_PAGE, {}) }, false],
  ['a frame that has gone', { sender: ours, senderFrame: null }, false],
  ['a frame without an address', { sender: ours, senderFrame: frame('') }, false],
  ['a host that begins like ours', { sender: ours, senderFrame: frame('app://latchkey@example/') }, false],
])('SECURITY: of senders, only our page in our window’s main frame is ours: %s', (_, event, expected) => {
  expect(isOurs(event, ours, 'app://latchkey')).toBe(expected)
  expect(isOurs({ ...event, sender: undefined }, undefined, 'app://latchkey')).toBe(false)
})

const PASSWORD = 'correct horse battery'

function createRig(act: () => Promise<Outcome> = async () => OK) {
  const reached: unknown[] = []
  const reported: [string, unknown][] = []
  const note = (input: unknown) => {
    reached.push(input)
    return act()
  }
  return {
    handlers: Object.fromEntries(Object.keys(calls).map((name) => [name, note])) as unknown as Handlers,
    reached,
    reported,
    report: (where: string, error: unknown) => void reported.push([where, error]),
    onFailure: () => {},
  }
}

describe('a call', () => {
  it('SECURITY: with invalid input calls no handler, and the value isn’t reported', async () => {
    const { reached, reported, ...answering } = createRig()
    const input = { grant: 'password', username: `ana:${PASSWORD}`, password: PASSWORD }
    const outcome = await answerCall('signIn', input, answering)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalidInput' } })
    expect(JSON.stringify([outcome, reported])).not.toContain(PASSWORD)
    expect(reached).toEqual([])
  })

  it('reports a handler with a bug, and gives the window a generic sentence', async () => {
    const { reported, ...answering } = createRig(() => Promise.reject(new Error(PASSWORD)))
    await expect(answerCall('refreshNow', undefined, answering)).rejects.toThrow(/^Something went wrong in Latchkey\.$/)
    expect(reported).toEqual([['refreshNow', expect.any(Error)]])
  })
})

it('a page that subscribes gets the whole view, at once and after each change, for as long as it exists', async () => {
  const { subscribe, page, received, change } = started()
  subscribe()
  await change()
  page.isGone = true
  await change()
  expect(received).toEqual([
    [VIEW_CHANNEL, { version: '1' }],
    [VIEW_CHANNEL, { version: '2' }],
  ])
})

it('SECURITY: an unknown sender gets no view and no answer', async () => {
  const { subscribe, received, change, call } = started()
  subscribe({ sender: {} })
  await change()
  expect(received).toEqual([])
  await expect(call({ sender: {} })).rejects.toThrow('not allowed')
  await expect(call()).resolves.toEqual(OK)
})

function started() {
  type Handler = (event: unknown, input: unknown) => Promise<unknown>
  const handlersOf = new Map<string, Handler>()
  const ipcMain = Object.assign(new EventEmitter(), {
    handle: (channel: string, handler: Handler) => void handlersOf.set(channel, handler),
  })
  const received: unknown[] = []
  const page = {
    isGone: false,
    isDestroyed: () => page.isGone,
    send: (channel: string, view: unknown) => received.push([channel, view]),
  }
  let version = 1
  const changes = new Changes()
  const views = new ViewStore(() => ({ version: `${version}` }) as AppView, changes)
  const change = async () => {
    version += 1
    changes.changed()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const window = { contents: page as unknown as WebContents }
  new Ipc({ ipcMain: ipcMain as unknown as IpcMain, views, window, ...createRig() }).start()
  const event = { sender: page, senderFrame: frame(OUR_PAGE) }
  return {
    page,
    received,
    change,
    subscribe: (other?: object) => ipcMain.emit(SUBSCRIBE_CHANNEL, { ...event, ...other }),
    call: async (other?: object) => handlersOf.get(channelOf('signOut'))?.({ ...event, ...other }, undefined),
  }
}
