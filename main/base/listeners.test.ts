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

it('calls each listener in order, until it is removed, even by another listener', () => {
  const undo = listen('one')
  listen('two')
  listeners.tell('first')
  undo()
  let remove = (): void => {}
  listeners.subscribe(() => remove())
  remove = listen('gone')
  listeners.tell('second')
  expect(heard).toEqual(['one first', 'two first', 'two second'])
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
