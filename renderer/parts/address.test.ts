import { expect, test } from 'vitest'
import { hostOf, isSameAddress } from './address.ts'

test.each([
  ['Data.Example.com/v2/', true],
  ['https://data.example.com:443/v2//', true],
  ['https://data.example.com', false],
  ['http://data.example.com/v2', false],
  ['https://', false],
])('a typed address is compared with the service’s address: %s', (typed, isSame) => {
  expect(isSameAddress(typed, 'https://data.example.com/v2')).toBe(isSame)
  expect(hostOf(typed)).toBe(typed === 'https://' ? undefined : 'data.example.com')
})
