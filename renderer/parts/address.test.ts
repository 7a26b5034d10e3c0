import { expect, test } from 'vitest'
import { hostOf, isSameAddress } from './address.ts'

const BASE = 'https://data.example.com/v2'

test.each(['https://data.example.com/v2', 'Data.Example.com/v2/', 'https://data.example.com:443/v2//'])(
  `%s is the same service as ${BASE}`,
  (typed) => expect(isSameAddress(typed, BASE)).toBe(true),
)

test.each(['https://data.example.com', 'data.example.com:8443/v2', 'http://data.example.com/v2', 'https://', ''])(
  `%j is either another service than ${BASE} or no valid address`,
  (typed) => expect(isSameAddress(typed, BASE)).toBe(false),
)

test('hostOf returns the host of a typed address, if it has one', () => {
  expect(hostOf('Data.example.com:8443/x')).toBe('data.example.com:8443')
  expect(hostOf('https://')).toBeUndefined()
})
