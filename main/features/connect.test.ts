import { beforeEach, expect, it, vi } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { Connect } from './connect.ts'

const ADDRESS = 'https://data.example.com'
const OTHER = 'https://10.0.0.1'
const NO_SUCH_HOST: Outcome = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } }

let check: Outcome
let isFirst: boolean
const reach = vi.fn(async (_: string): Promise<Outcome> => OK)
const save = vi.fn(async (_: object): Promise<Outcome> => OK)
let connect: (baseAddress: string, anyway?: boolean) => Promise<Outcome>
beforeEach(() => {
  vi.clearAllMocks()
  check = OK
  isFirst = true
  const settings = { checkSettings: async () => check, saveSettings: save }
  const feature = new Connect({ isFirst: () => isFirst, hasService: () => save.mock.calls.length > 0, settings, reach })
  connect = (baseAddress, anyway = false) => feature.handlers.connect({ baseAddress, anyway })
})
/** The addresses that were tried, and those that were saved. */
const done = () => [reach.mock.calls.flat(), save.mock.calls.flatMap(([input]) => Object.values(input))]

it('SECURITY: the first address is saved if a server answers at it; after that, the page can’t try other addresses', async () => {
  const [first, second] = [connect('Data.example.com/'), connect(OTHER)]
  expect(await first).toEqual(OK)
  expect(await second).toMatchObject({ failure: { code: 'invalidInput' } })
  expect(done()).toEqual([[ADDRESS], ['Data.example.com/']])
})

it('an address at which no server answers is saved only if the user chooses to save it anyway', async () => {
  reach.mockResolvedValueOnce(NO_SUCH_HOST)
  expect(await connect(ADDRESS)).toEqual(NO_SUCH_HOST)
  expect(done()).toEqual([[ADDRESS], []])
  expect(await connect(ADDRESS, true)).toEqual(OK)
  expect(done()).toEqual([[ADDRESS], [ADDRESS]])
})

it('no request is sent to an invalid address', async () => {
  check = { ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } }
  expect(await connect('http://data.example.com')).toEqual(check)
  expect(done()).toEqual([[], []])
})

it('SECURITY: if there was a service before, a new address isn’t tried, because the user hasn’t confirmed it yet', async () => {
  isFirst = false
  expect(await connect(OTHER)).toEqual(OK)
  expect(done()).toEqual([[], [OTHER]])
})
