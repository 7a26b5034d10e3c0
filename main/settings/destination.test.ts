import { expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { loadTexts } from '../../text/index.ts'
import {
  type AddressChange,
  Confirmation,
  type DestinationChange,
  destinationDialog,
  NOT_CONFIRMED,
} from './destination.ts'
import { normaliseBaseAddress } from './values.ts'

const added = { kind: 'addition', added: 'https://b.example.com' } as const
const waiting = (retryAfter: number) => ({ ok: false, failure: { code: 'notConfirmed', retryAfter } })

function openDialog() {
  const time = { now: 0 }
  const answers: ((isConfirmed: boolean) => void)[] = []
  const confirmation = new Confirmation({
    ask: () => new Promise((resolve) => answers.push(resolve)),
    clock: { now: () => time.now },
  })
  const answered = (isConfirmed: boolean, ms = 3_000, probe?: () => Promise<Outcome>) => {
    const outcome = confirmation.confirm(added, probe)
    time.now += ms
    answers.at(-1)?.(isConfirmed)
    return outcome
  }
  return { confirmation, time, answers, answered }
}

it('SECURITY: while a dialog is open, another change is refused without a second dialog', async () => {
  const { confirmation, answers, answered } = openDialog()
  const first = answered(true)
  expect(await confirmation.confirm(added)).toEqual(NOT_CONFIRMED)
  expect(answers).toHaveLength(1)
  expect(await first).toEqual(OK)
})

it('SECURITY: a click confirms nothing if it comes before the user can have read the dialog', async () => {
  const { answered, time } = openDialog()
  expect(await answered(true, 999)).toEqual(NOT_CONFIRMED)
  time.now += 5_000
  expect(await answered(true, 1_000)).toEqual(OK)
})

it('SECURITY: no dialog opens for 5 s after a refusal, and each further refusal doubles this time', async () => {
  const { confirmation, answered, answers, time } = openDialog()
  for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
    const before = answers.length
    expect(await answered(false)).toEqual(NOT_CONFIRMED)
    expect(await confirmation.confirm(added)).toEqual(waiting(seconds))
    time.now += seconds * 1_000 - 1
    expect(await confirmation.confirm(added)).toEqual(waiting(1))
    expect(answers).toHaveLength(before + 1)
    time.now += 1
  }
  expect(await answered(true)).toEqual(OK)
  await answered(false)
  expect(await confirmation.confirm(added)).toEqual(waiting(5))
})

it('SECURITY: a confirmed address that didn’t answer can be saved without asking again, but only that, soon and once', async () => {
  const unreachable = { ok: false, failure: { code: 'unreachable' } } as const
  const { confirmation, answers, answered, time } = openDialog()
  const tried = async (outcome: Outcome = unreachable) => {
    expect(await answered(true, 3_000, async () => outcome)).toEqual(outcome)
  }
  const asks = async (change: DestinationChange, probe?: () => Promise<Outcome>) => {
    const before = answers.length
    const confirmed = confirmation.confirm(change, probe)
    const isAsked = answers.length > before
    time.now += 3_000
    answers.at(-1)?.(true)
    expect(await confirmed).toEqual(OK)
    return isAsked
  }
  await tried()
  expect([await asks(added), await asks(added)]).toEqual([false, true])
  await tried()
  expect(await asks({ ...added, added: 'https://c.example.com' })).toBe(true)
  await tried()
  expect(await asks(added, async () => OK)).toBe(true)
  await tried()
  time.now += 5 * 60_000
  expect(await asks(added)).toBe(true)
  await tried(OK)
  expect(await asks(added)).toBe(true)
})

it('if a dialog can’t be shown, nothing is confirmed, and the next dialog can open', async () => {
  const confirmation = new Confirmation({
    ask: async () => {
      throw new Error('no display')
    },
    clock: { now: () => 0 },
  })
  for (const _ of [1, 2]) await expect(confirmation.confirm(added)).rejects.toThrow('no display')
})

const { destination: words } = (await loadTexts('en')).desktop
const A = 'https://data.example.com'

function normal(typed: string): string {
  const result = normaliseBaseAddress(typed)
  if (!result.ok) throw new Error(result.problem)
  return result.value
}

const dialogOf = (...addresses: AddressChange[]) => destinationDialog({ kind: 'change', addresses }, words)
const detailOf = (from: string, to: string) => dialogOf({ field: 'baseAddress', from, to }).detail.split('\n')

it('the dialog names the old and new host of every address that changes, and speaks of the password if it goes there', () => {
  const dataAddress = { field: 'dataAddress', to: 'https://api.example.com' } as const
  expect(dialogOf({ field: 'baseAddress', from: A, to: 'https://b.example.com:8443' }, dataAddress)).toEqual({
    message: 'Change where Latchkey sends your password?',
    detail: [
      'Service address\nFrom: https://data.example.com\nTo: https://b.example.com:8443',
      'Data address\nFrom: none\nTo: https://api.example.com',
      words.advice,
      words.data.advice,
    ].join('\n\n'),
    confirm: 'Change',
    cancel: 'Cancel',
  })
  expect(dialogOf(dataAddress).message).toBe('Change where Latchkey sends your access token?')
})

it.each([
  ['has letters of another script', 'https://d\u0430ta.example.com', 'To: https://xn--dta-6cd.example.com'],
  ['is a number', 'https://3221226219', 'To: https://192.0.2.235'],
  ['names another host in its path', 'https://b.example.org/data.example.com', 'To: https://b.example.org'],
  ['has line breaks', 'https://b.example.org/%0ATo:%0Ahttps:', 'To: https://b.example.org'],
  ['is written right to left', 'https://example.\u202emoc', undefined],
  ['is named after another host', 'https://data.example.com@b.example.org', undefined],
  ['is in another line', 'https://b.example.org\nhttps://c.example.org', undefined],
])('SECURITY: a misleading host is either refused or shown unmistakably: one that %s', (_, typed, line) => {
  if (line === undefined) expect(normaliseBaseAddress(typed).ok).toBe(false)
  else expect(detailOf(A, normal(typed))[2]).toBe(line)
})

it('SECURITY: a host that is too long is cut at its beginning, because its end names the owner', () => {
  const [, , line = ''] = detailOf(A, normal(`https://data.example.com.${'a.'.repeat(900)}b.example.org`))
  expect(line).toMatch(/^To: https:\/\/…[a.]+\.b\.example\.org$/)
  expect(line.length).toBeLessThan(120)
})

it('the dialog shows paths only if nothing but the path changes, and cuts long paths', () => {
  expect(detailOf(`${A}/one`, `${A}/two`).slice(1, 3)).toEqual([`From: ${A}/one`, `To: ${A}/two`])
  const [, , line = ''] = detailOf(A, `${A}/${'x'.repeat(1_000)}`)
  expect(line).toMatch(/\/x+…$/)
  expect(line.length).toBeLessThan(110)
})
