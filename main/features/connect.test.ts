import { beforeEach, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { Connect } from './connect.ts'

const ADDRESS = 'https://data.example.com'
const OTHER = 'https://10.0.0.1'
const NO_SUCH_HOST: Outcome = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } }

let reached: string[]
let saved: string[]
let answer: Outcome
let check: Outcome
let isFirst: boolean
let connect: (baseAddress: string, anyway?: boolean) => Promise<Outcome>
beforeEach(() => {
  reached = []
  saved = []
  answer = OK
  check = OK
  isFirst = true
  const feature = new Connect({
    isFirst: () => isFirst,
    hasService: () => saved.length > 0,
    settings: {
      checkSettings: async () => check,
      saveSettings: async ({ baseAddress = '' }) => {
        saved.push(baseAddress)
        return OK
      },
    },
    reach: async (address) => {
      reached.push(address)
      return answer
    },
  })
  connect = (baseAddress, anyway = false) => feature.handlers.connect({ baseAddress, anyway })
})

it('SECURITY: the first address is saved if a server answers at it; after that, the page can’t try other addresses', async () => {
  const [first, second] = [connect('Data.example.com/'), connect(OTHER)]
  expect(await first).toEqual(OK)
  expect(await second).toMatchObject({ failure: { code: 'invalidInput' } })
  expect([reached, saved]).toEqual([[ADDRESS], ['Data.example.com/']])
})

it('an address at which no server answers is saved only if the user chooses to save it anyway', async () => {
  answer = NO_SUCH_HOST
  expect(await connect(ADDRESS)).toEqual(NO_SUCH_HOST)
  expect([reached, saved]).toEqual([[ADDRESS], []])
  expect(await connect(ADDRESS, true)).toEqual(OK)
  expect([reached, saved]).toEqual([[ADDRESS], [ADDRESS]])
})

it('no request is sent to an invalid address', async () => {
  check = { ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } }
  expect(await connect('http://data.example.com')).toEqual(check)
  expect([reached, saved]).toEqual([[], []])
})

it('SECURITY: if there was a service before, a new address isn’t tried, because the user hasn’t confirmed it yet', async () => {
  isFirst = false
  expect(await connect(OTHER)).toEqual(OK)
  expect([reached, saved]).toEqual([[], [OTHER]])
})
