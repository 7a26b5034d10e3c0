import { describe, expect, it } from 'vitest'
import { isOurs } from './sender.ts'

const ours = {}
const origin = 'app://latchkey'
const frame = (url: string, parent: unknown = null) => ({ url, parent })

describe('isOurs', () => {
  it('takes our page in our window’s main frame', () => {
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

  it('refuses everybody while there is no window', () => {
    expect(isOurs({ sender: undefined, senderFrame: frame('app://latchkey/index.html') }, undefined, origin)).toBe(
      false,
    )
  })
})
