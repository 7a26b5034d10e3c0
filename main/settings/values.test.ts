import { expect, it } from 'vitest'
import { checkValue } from './values.ts'

it('a display name can be any short text on one line', () => {
  expect(checkValue('displayName', ' Datos  de la\tempresa – 数据 ')).toEqual({
    ok: true,
    value: 'Datos de la empresa – 数据',
  })
})

it.each([
  ['a text that pushes its host out of sight', 'https://data.example.com '.padEnd(61, '.')],
  ['a text that turns the letters of its host around', 'Data \u202E'],
  ['a text that can’t be seen', '\u200B'],
  ['a text with control characters', 'Data\u0000platform'],
])('SECURITY: a connection can’t be called %s', (_, name) => {
  expect(checkValue('displayName', name)).toEqual({ ok: false, problem: 'unusable' })
})
