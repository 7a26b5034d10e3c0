import { describe, expect, it } from 'vitest'
import { HeldKeys } from './held-keys.ts'

const pressed = (key: string, over: Partial<Parameters<HeldKeys['take']>[0]> = {}) => ({
  type: 'keyDown',
  key,
  modifiers: [],
  meta: false,
  control: false,
  alt: false,
  isComposing: false,
  ...over,
})

const holding = () => {
  const keys = new HeldKeys()
  keys.hold()
  return keys
}
const sent = (keys: HeldKeys) => keys.release().map(({ type, keyCode }) => `${type} ${keyCode}`)

describe('keys that wait', () => {
  it('are sent in their order, with what they type', () => {
    const keys = holding()
    for (const key of ['A', 'ß', ' ', 'Tab', 'ArrowLeft', 'Enter']) expect(keys.take(pressed(key)), key).toBe(true)
    expect(keys.take(pressed('Enter', { type: 'keyUp' }))).toBe(true)
    expect(sent(keys)).toEqual([
      ...['keyDown A', 'char A', 'keyDown ß', 'char ß', 'keyDown Space', 'char  ', 'keyDown Tab', 'keyDown Left'],
      ...['keyDown Enter', 'char \r', 'keyUp Enter'],
    ])
  })

  it('with what was held down beside them', () => {
    const keys = holding()
    keys.take(pressed('Tab', { modifiers: ['shift'] }))
    expect(keys.release()).toEqual([{ type: 'keyDown', keyCode: 'Tab', modifiers: ['shift'] }])
  })

  it('type nothing with Ctrl, and what they say with AltGr', () => {
    const keys = holding()
    keys.take(pressed('v', { control: true }))
    keys.take(pressed('@', { control: true, alt: true }))
    expect(sent(keys)).toEqual(['keyDown v', 'keyDown @', 'char @'])
  })

  it('wait no longer than until the page answers, and are sent once', () => {
    const keys = new HeldKeys()
    expect(keys.take(pressed('a'))).toBe(false)
    keys.hold()
    keys.take(pressed('b'))
    expect(sent(keys)).toEqual(['keyDown b', 'char b'])
    expect(keys.take(pressed('c'))).toBe(false)
    expect(sent(keys)).toEqual([])
  })

  it('are forgotten with the page that they were for', () => {
    const keys = holding()
    keys.take(pressed('a'))
    keys.hold()
    keys.take(pressed('b'))
    expect(sent(keys)).toEqual(['keyDown b', 'char b'])
  })

  it('are no more than a person types, whatever the page does', () => {
    const keys = holding()
    for (let count = 0; count < 3_000; count++) expect(keys.take(pressed('Tab'))).toBe(true)
    expect(sent(keys)).toHaveLength(1_000)
  })
})

it.each([
  ['Cmd', pressed('q', { meta: true })],
  ['Alt', pressed('F4', { alt: true })],
  ['what is being composed', pressed('a', { isComposing: true })],
  ['what was composed', pressed('Process')],
  ['an accent', pressed('Dead')],
  ['no name', pressed('\u0000')],
])('keys with %s go their own way', (_, key) => {
  expect(holding().take(key)).toBe(false)
})
