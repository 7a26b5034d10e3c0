import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HeldKeys } from './held-keys.ts'

type Key = Parameters<HeldKeys['take']>[0]

const pressed = (key: string, over: Partial<Key> = {}): Key => ({
  type: 'keyDown',
  key,
  code: '',
  modifiers: [],
  meta: false,
  control: false,
  shift: false,
  alt: false,
  isAutoRepeat: false,
  isComposing: false,
  ...over,
})

const holding = (platform: NodeJS.Platform = 'linux') => {
  const keys = new HeldKeys(platform)
  keys.hold()
  return keys
}
const sent = (keys: HeldKeys) => keys.release().map(({ type, keyCode }) => `${type} ${keyCode}`)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
    keys.take(pressed('Tab', { modifiers: ['shift'], shift: true }))
    expect(keys.release()).toEqual([{ type: 'keyDown', keyCode: 'Tab', modifiers: ['shift'] }])
  })

  it('type nothing with Ctrl, and are the same on a keyboard of other letters', () => {
    const keys = holding()
    keys.take(pressed('Control', { control: true }))
    keys.take(pressed('м', { control: true, code: 'KeyV' }))
    // AZERTY.
    keys.take(pressed('a', { control: true, code: 'KeyQ' }))
    expect(sent(keys)).toEqual(['keyDown Control', 'keyDown V', 'keyDown a'])
  })

  it.each<[string, NodeJS.Platform, Partial<Key>]>([
    ['AltGr', 'linux', {}],
    ['AltGr', 'win32', { control: true, alt: true }],
    ['Option', 'darwin', { alt: true }],
  ])('type what they say with %s on %s', (_, platform, over) => {
    const keys = holding(platform)
    expect(keys.take(pressed('@', over))).toBe(true)
    expect(sent(keys)).toEqual(['keyDown @', 'char @'])
  })

  it('wait no longer than until the page answers, and are sent once', () => {
    const keys = new HeldKeys('linux')
    expect(keys.take(pressed('a'))).toBe(false)
    keys.hold()
    keys.take(pressed('b'))
    expect(sent(keys)).toEqual(['keyDown b', 'char b'])
    expect(keys.take(pressed('c'))).toBe(false)
    expect(sent(keys)).toEqual([])
  })

  it('are forgotten with the page that they were for, and when no page answers', () => {
    const keys = holding()
    keys.take(pressed('a'))
    vi.advanceTimersByTime(4_999)
    keys.hold()
    vi.advanceTimersByTime(4_999)
    keys.take(pressed('b'))
    vi.advanceTimersByTime(1)
    expect(keys.take(pressed('c'))).toBe(false)
    expect(sent(keys)).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('don’t repeat what is still held down from before', () => {
    const keys = holding()
    expect(keys.take(pressed('Enter', { isAutoRepeat: true }))).toBe(true)
    expect(sent(keys)).toEqual([])
  })
})

it.each<[string, Key]>([
  ['an accent', pressed('Dead')],
  ['the beginning of a character', pressed('Compose')],
  ['what is being composed', pressed('a', { isComposing: true })],
  ['what was composed', pressed('Process')],
  ['what no key has typed', pressed('\0')],
  ['what is longer than a key event', pressed('🔑')],
  ['the beginning of a character’s number', pressed('U', { control: true, shift: true, code: 'KeyU' })],
  ['a shortcut that is no letter', pressed('м', { control: true })],
])('SECURITY: with %s all is forgotten, so that no part of a password is sent for the whole', (_, key) => {
  const keys = holding()
  keys.take(pressed('p'))
  expect(keys.take(key)).toBe(false)
  expect(keys.take(pressed('Enter'))).toBe(false)
  expect(sent(keys)).toEqual([])
})

it.each<[string, NodeJS.Platform, Key]>([
  ['Cmd', 'darwin', pressed('q', { meta: true })],
  ['Alt', 'win32', pressed('F4', { alt: true })],
  ['Alt', 'linux', pressed('d', { alt: true })],
  ['Alt by itself', 'linux', pressed('Alt')],
  ['the end of a hotkey', 'linux', pressed('F2', { type: 'keyUp' })],
])('keys with %s on %s go their own way, and the others wait on', (_, platform, key) => {
  const keys = holding(platform)
  keys.take(pressed('a'))
  expect(keys.take(key)).toBe(false)
  expect(sent(keys)).toEqual(['keyDown a', 'char a'])
})
