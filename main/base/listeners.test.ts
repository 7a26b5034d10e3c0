import { once } from 'node:events'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { Listeners } from './listeners.ts'

let listeners: Listeners<string>
let heard: string[]

beforeEach(() => {
  listeners = new Listeners()
  heard = []
})

const listen = (name: string) => listeners.subscribe((event) => heard.push(`${name} ${event}`))

it('calls each listener in order, until the listener is removed', () => {
  expect(listeners.isEmpty).toBe(true)
  const undo = listen('one')
  listen('two')
  listeners.tell('first')
  undo()
  listeners.tell('second')
  expect(heard).toEqual(['one first', 'two first', 'two second'])
  expect(listeners.isEmpty).toBe(false)
})

it('does not call a listener that another listener has just removed', () => {
  let undo = (): void => {}
  listeners.subscribe(() => undo())
  undo = listen('gone')
  listeners.tell('first')
  expect(heard).toEqual([])
})

it('if a listener throws, calls the others and reports the error', async () => {
  const usual = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  onTestFinished(() => {
    for (const each of usual) process.on('uncaughtException', each)
  })
  const bug = new Error('a bug in a listener')
  listeners.subscribe(() => {
    throw bug
  })
  listen('two')
  const reported = once(process, 'uncaughtException')
  listeners.tell('first')
  expect(heard).toEqual(['two first'])
  expect((await reported)[0]).toBe(bug)
})
