import { beforeEach, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { ConnectionView } from '../../contract/views.ts'
import { Connect } from './connect.ts'

const ADDRESS = 'https://data.example.com'
const NO_SUCH_HOST: Outcome = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } }
const connection: ConnectionView = { baseAddress: ADDRESS, host: 'data.example.com', source: 'user', grants: [] }

let reached: string[]
let saved: unknown[]
let answer: Outcome
let check: Outcome
beforeEach(() => {
  reached = []
  saved = []
  answer = OK
  check = OK
})

const feature = (shown: { readonly connection?: ConnectionView } = {}, isFirst = true) =>
  new Connect({
    isFirst: () => isFirst,
    hasService: () => shown.connection !== undefined,
    settings: {
      checkSettings: async () => check,
      saveSettings: async (input) => {
        saved.push(input)
        return OK
      },
    },
    reach: async (address) => {
      reached.push(address)
      return answer
    },
  }).handlers.connect

it('an address is saved if a server answers at it', async () => {
  await expect(feature()({ baseAddress: 'Data.example.com/', anyway: false })).resolves.toEqual(OK)
  expect([reached, saved]).toEqual([[ADDRESS], [{ baseAddress: 'Data.example.com/' }]])
})

it('if no server answers at an address, the reason is given and nothing is saved', async () => {
  answer = NO_SUCH_HOST
  await expect(feature()({ baseAddress: ADDRESS, anyway: false })).resolves.toEqual(NO_SUCH_HOST)
  expect(saved).toEqual([])
})

it('if the user chooses to save an address anyway, it is saved without being tried', async () => {
  answer = NO_SUCH_HOST
  await expect(feature()({ baseAddress: ADDRESS, anyway: true })).resolves.toEqual(OK)
  expect([reached, saved]).toEqual([[], [{ baseAddress: ADDRESS }]])
})

it('no request is sent to an invalid address', async () => {
  check = { ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } }
  await expect(feature()({ baseAddress: 'http://data.example.com', anyway: false })).resolves.toEqual(check)
  expect([reached, saved]).toEqual([[], []])
})

it('SECURITY: once a service is configured, the page can’t try other addresses', async () => {
  await expect(feature({ connection })({ baseAddress: 'https://10.0.0.1', anyway: false })).resolves.toMatchObject({
    failure: { code: 'invalidInput' },
  })
  expect([reached, saved]).toEqual([[], []])
})

it('SECURITY: if there was a service before, a new address isn’t tried, because the user hasn’t confirmed it yet', async () => {
  const connect = feature({}, false)
  await expect(connect({ baseAddress: 'https://10.0.0.1', anyway: false })).resolves.toEqual(OK)
  expect([reached, saved]).toEqual([[], [{ baseAddress: 'https://10.0.0.1' }]])
})

it('of two simultaneous calls, only the first saves a service', async () => {
  const shown: { connection?: ConnectionView } = {}
  const connect = feature(shown)
  const first = connect({ baseAddress: ADDRESS, anyway: false })
  const second = connect({ baseAddress: 'https://10.0.0.1', anyway: false })
  first.then(() => Object.assign(shown, { connection }))
  await expect(second).resolves.toMatchObject({ failure: { code: 'invalidInput' } })
  expect([reached, saved]).toEqual([[ADDRESS], [{ baseAddress: ADDRESS }]])
})
