import { describe, expect, test } from 'vitest'
import { parseAnswer, parseCall } from './child-messages.ts'

const call = { id: 7, method: 'setPassword', args: ['Latchkey', 'a', 'value'] }

describe('a call', () => {
  test.each([
    call,
    { id: 1, method: 'getPassword', args: ['Latchkey', 'a'] },
    { id: 2, method: 'deletePassword', args: ['Latchkey', 'a'] },
    { id: 3, method: 'ping', args: [] },
  ])('of a known kind is accepted: $method', (message) => {
    expect(parseCall(message)).toEqual(message)
  })

  test('loses its unknown fields', () => {
    expect(parseCall({ ...call, more: 'of it' })).toEqual(call)
  })

  test.each([
    ['not an object', 'getPassword'],
    ['null', null],
    ['undefined', undefined],
    ['a method that is not for the app', { ...call, method: 'findCredentials', args: ['Latchkey'] }],
    ['a method that every object has', { ...call, method: 'toString', args: [] }],
    ['one argument too few', { ...call, args: ['Latchkey', 'a'] }],
    ['one argument too many', { ...call, method: 'getPassword' }],
    ['an argument that is not a string', { ...call, args: ['Latchkey', 'a', ['value']] }],
    ['arguments that are not an array', { ...call, args: { length: 3 } }],
    ['an id that is not a number', { ...call, id: '7' }],
  ])('is refused: %s', (_, message) => {
    expect(parseCall(message)).toBeUndefined()
  })
})

describe('an answer', () => {
  test.each([
    { kind: 'ready' },
    { kind: 'alive' },
    { kind: 'unloadable', cause: 'no libsecret' },
    { kind: 'done', id: 1, value: null },
    { kind: 'done', id: 1, value: 'value' },
    { kind: 'done', id: 1, value: false },
    { kind: 'failed', id: 1, cause: 'locked' },
  ])('is accepted: %j', (message) => {
    expect(parseAnswer({ ...message, more: 'of it' })).toEqual(message)
  })

  test.each([
    ['not an object', 'ready'],
    ['null', null],
    ['an unknown kind', { kind: 'maybe' }],
    ['a value of the wrong type', { kind: 'done', id: 1, value: ['value'] }],
    ['no value', { kind: 'done', id: 1 }],
    ['no id', { kind: 'failed', cause: 'locked' }],
    ['a cause that is not a string', { kind: 'failed', id: 1, cause: new Error('locked') }],
  ])('is refused: %s', (_, message) => {
    expect(parseAnswer(message)).toBeUndefined()
  })
})
