import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Child } from './conversation.ts'
import { HandClock } from './hand-clock.ts'
import { type Here, keytarHere } from './keytar-here.ts'
import { KeytarProcess } from './keytar-process.ts'
import type { Keytar } from './keytar-store.ts'

const clock = new HandClock()
/** What native calls come to: the newest is answered first. */
let under: { resolve(value: string | null): void; reject(error: Error): void }[]
let children: number
let here: Here
let keytar: KeytarProcess

const native: Keytar = {
  getPassword: () => new Promise((resolve, reject) => under.push({ resolve, reject })),
  setPassword: async () => {},
  deletePassword: async () => true,
}

/** A child that answers every read alike. */
function childThatReads(value: string): Child {
  let hear: (message: unknown) => void = () => {}
  return {
    send: (message) => setImmediate(() => hear({ kind: 'done', id: (message as { readonly id: number }).id, value })),
    onMessage(listen) {
      hear = listen
      setImmediate(() => hear({ kind: 'ready' }))
    },
    onExit() {},
    kill() {},
  }
}

const open = (load: () => Promise<Keytar>): void => {
  here = keytarHere(load)
  const fork = () => {
    children += 1
    return childThatReads('from the child')
  }
  keytar = new KeytarProcess({ fork, here, clock })
}

const read = () => keytar.getPassword('Latchkey', 'a')
const answerHere = async (value: string) => {
  under.pop()?.resolve(value)
  await turn()
}

beforeEach(() => {
  under = []
  children = 0
  open(async () => native)
})

test('the calls of the start are made without a child', async () => {
  await keytar.load()
  const reading = read()
  await turn()
  expect(here.isBusy).toBe(true)
  expect(keytar.isBusyHere).toBe(true)
  await answerHere('from here')
  expect(await reading).toBe('from here')
  await keytar.setPassword('Latchkey', 'a', 'b')
  expect(await keytar.deletePassword('Latchkey', 'a')).toBe(true)
  expect(here.isBusy).toBe(false)
  expect(children).toBe(0)
})

test('after a second without a call the next one has a child', async () => {
  const reading = read()
  await turn()
  clock.advance(5_000)
  await answerHere('late')
  expect(await reading).toBe('late')
  clock.advance(999)
  await keytar.setPassword('Latchkey', 'a', 'b')
  clock.advance(1_000)
  expect(await read()).toBe('from the child')
  expect(children).toBe(1)
})

test('what may show a prompt is waited for in a child', async () => {
  await keytar.load()
  keytar.beforePrompt()
  expect(await read()).toBe('from the child')
  expect(under).toEqual([])
})

test('a child that is there is kept for the prompt', async () => {
  await keytar.load()
  keytar.beforePrompt()
  await read()
  keytar.beforePrompt()
  await read()
  expect(children).toBe(1)
})

test('a call that fails here at once, after another has succeeded, is made by a child', async () => {
  await keytar.setPassword('Latchkey', 'a', 'b')
  const reading = read()
  await turn()
  under.pop()?.reject(new Error('the Secret Service has gone'))
  expect(await reading).toBe('from the child')
})

test('where the native module can’t be loaded, loading and every call say so', async () => {
  open(() => Promise.reject(new Error('libsecret-1.so.0: cannot open shared object file')))
  const reading = read()
  await expect(keytar.load()).rejects.toThrow('libsecret-1.so.0')
  await expect(reading).rejects.toThrow('libsecret-1.so.0')
  expect(here.isBusy).toBe(false)
})

test('stopped, it hears of a call no more, and says that one is under way', async () => {
  const reading = read()
  await turn()
  keytar.stop()
  await expect(reading).rejects.toThrow('the app is ending')
  expect(keytar.isBusyHere).toBe(true)
  await answerHere('too late')
  expect(keytar.isBusyHere).toBe(false)
})
