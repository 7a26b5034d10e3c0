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
const origin = 'app://latchkey'
const frame = (url: string, parent: unknown = null) => ({ url, parent })

describe('isOurs', () => {
  it('accepts our page in our window’s main frame', () => {
    expect(isOurs({ sender: ours, senderFrame: frame('app://latchkey/index.html') }, ours, origin)).toBe(true)
  })

  it.each([
    ['another window', { sender: {}, senderFrame: frame('app://latchkey/index.html') }],
    ['a frame inside our page', { sender: ours, senderFrame: frame('app://latchkey/index.html', {}) }],
    ['a frame that has gone', { sender: ours, senderFrame: null }],
    ['a page without an address', { sender: ours, senderFrame: frame('') }],
    ['another scheme', { sender: ours, senderFrame: frame('https://latchkey/index.html') }],
    ['another host', { sender: ours, senderFrame: frame('app://latchkey.example/index.html') }],
    ['a host that begins like ours', { sender: ours, senderFrame: frame('app://latchkey@example/') }],
    ['a file', { sender: ours, senderFrame: frame('file:///app://latchkey/index.html') }],
  ])('refuses %s', (_, event) => {
    expect(isOurs(event, ours, origin)).toBe(false)
  })

  it('refuses every sender while there is no window', () => {
    expect(isOurs({ sender: undefined, senderFrame: frame('app://latchkey/index.html') }, undefined, origin)).toBe(
      false,
    )
  })
})

const PASSWORD = 'correct horse battery'
const signIn = { grant: 'password', username: 'ana', password: PASSWORD }

function createRig(act: () => Promise<Outcome> = async () => OK) {
  const reached: unknown[] = []
  const reported: [string, unknown][] = []
  const note = (input: unknown) => {
    reached.push(input)
    return act()
  }
  const handlers = Object.fromEntries(Object.keys(calls).map((name) => [name, note])) as unknown as Handlers
  const failures: string[] = []
  return {
    handlers,
    reached,
    reported,
    report: (where: string, error: unknown) => void reported.push([where, error]),
    failures,
    onFailure: (name: string, { code }: { readonly code: string }) => void failures.push(`${name} ${code}`),
  }
}

describe('answerCall', () => {
  it('passes valid input to the handler and returns its outcome', async () => {
    const { reached, ...answering } = createRig()
    expect(await answerCall('signIn', signIn, answering)).toBe(OK)
    expect(reached).toEqual([signIn])
  })

  it.each([
    ['an unknown field', { ...signIn, remember: true }],
    ['a password that is too long', { ...signIn, password: PASSWORD.repeat(1_000) }],
    ['a username with a colon', { ...signIn, username: `ana:${PASSWORD}` }],
  ])('refuses %s without calling a handler or reporting the value', async (_, input) => {
    const { reached, reported, ...answering } = createRig()
    const outcome = await answerCall('signIn', input, answering)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalidInput' } })
    expect(JSON.stringify([outcome, reported])).not.toContain(PASSWORD)
    expect(reached).toEqual([])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error(PASSWORD))],
    [
      'throws',
      () => {
        throw new Error(PASSWORD)
      },
    ],
  ])('reports a handler that %s, and gives the window a generic sentence', async (_, act) => {
    const { reported, ...answering } = createRig(act)
    await expect(answerCall('refreshNow', undefined, answering)).rejects.toThrow(/^Something went wrong in Latchkey\.$/)
    expect(reported).toEqual([['refreshNow', expect.any(Error)]])
  })
})

describe('Ipc', () => {
  /** Fakes our window, its page, and Electron's side of the channels. */
  function started() {
    const handlersOf = new Map<string, (event: unknown, input: unknown) => Promise<unknown>>()
    const events = new EventEmitter()
    const ipcMain = {
      handle: (channel: string, handler: (event: unknown, input: unknown) => Promise<unknown>) =>
        void handlersOf.set(channel, handler),
      removeHandler: (channel: string) => void handlersOf.delete(channel),
      on: events.on.bind(events),
      off: events.off.bind(events),
    } as unknown as IpcMain
    const received: unknown[] = []
    const page = {
      isGone: false,
      isDestroyed: () => page.isGone,
      send: (channel: string, view: unknown) => {
        if (page.isGone) throw new Error('Object has been destroyed')
        received.push([channel, view])
      },
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
    const ipc = new Ipc({ ipcMain, views, window, ...createRig() })
    ipc.start()
    const event = { sender: page, senderFrame: frame('app://latchkey/index.html') }
    const call = (from: unknown) => handlersOf.get(channelOf('signOut'))?.(from, undefined)
    return { ipc, page, received, change, event, call, handlersOf, events }
  }

  it('sends the whole view to a page that subscribes, at once and after each change', async () => {
    const { events, event, received, change } = started()
    events.emit(SUBSCRIBE_CHANNEL, event)
    await change()
    expect(received).toEqual([
      [VIEW_CHANNEL, { version: '1' }],
      [VIEW_CHANNEL, { version: '2' }],
    ])
  })

  it('sends no view to a page that no longer exists', async () => {
    const { events, event, page, received, change } = started()
    events.emit(SUBSCRIBE_CHANNEL, event)
    page.isGone = true
    await change()
    expect(received).toHaveLength(1)
  })

  it('SECURITY: an unknown sender gets no view and no answer', async () => {
    const { events, event, received, change, call } = started()
    const stranger = { ...event, sender: {} }
    events.emit(SUBSCRIBE_CHANNEL, stranger)
    await change()
    expect(received).toEqual([])
    await expect(call(stranger)).rejects.toThrow('not allowed')
    await expect(call(event)).resolves.toEqual(OK)
  })
})
