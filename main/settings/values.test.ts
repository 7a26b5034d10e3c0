import { expect, it } from 'vitest'
import { checkValue, normaliseBaseAddress } from './values.ts'

it('a display name can be any short text on one line', () => {
  expect(checkValue('displayName', ' Datos  de la\tempresa – 数据 ')).toEqual({
    ok: true,
    value: 'Datos de la empresa – 数据',
  })
})

it.each([
  ['a text that pushes its host out of sight', 'https://data.example.com '.padEnd(61, '.')],
  ['a text that turns the letters of its host around', 'Data \u202E'],
  ['a text of invisible characters', '\u200B'],
  ['a text with control characters', 'Data\u0000platform'],
])('SECURITY: a display name can’t be %s', (_, name) => {
  expect(checkValue('displayName', name)).toEqual({ ok: false, problem: 'unusable' })
})

it.each([
  ['  https://Data.Example.COM/  ', 'https://data.example.com'],
  ['https://data.example.com:443', 'https://data.example.com'],
  ['https://data.example.com/platform//', 'https://data.example.com/platform'],
  ['data.example.com:8443', 'https://data.example.com:8443'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:80/', 'http://[::1]'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('the address %s is normalised to %s', (text, value) => {
  expect(normaliseBaseAddress(text)).toEqual({ ok: true, value })
})

it('an address with an umlaut is accepted however many addresses were checked before', () => {
  const results = Array.from({ length: 20_000 }, () => normaliseBaseAddress('https://bücher.example').ok)
  expect(results).not.toContain(false)
})

it.each([
  ['', 'notAnAddress'],
  ['javascript://alert', 'notAnAddress'],
  ['http://127.0.0.1.example.com', 'notHttps'],
  ['https://ana:pass@data.example.com', 'hasCredentials'],
  ['https://data.example.com/?a=b', 'hasQuery'],
  ['https://data.example.com/#top', 'hasQuery'],
])('the address %s is refused: %s', (text, problem) => {
  expect(normaliseBaseAddress(text)).toEqual({ ok: false, problem })
})
