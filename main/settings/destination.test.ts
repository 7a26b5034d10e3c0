import { describe, expect, it } from 'vitest'
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
  /**
   * Answers the dialog.
   * @param ms the time after which the user answers
   */
  const answered = (isConfirmed: boolean, ms = 3_000) => {
    const outcome = confirmation.confirm(added)
    time.now += ms
    answers.at(-1)?.(isConfirmed)
    return outcome
  }
  return { confirmation, time, answers, answered }
}

it('SECURITY: while a dialog is open, another change is refused without a second dialog', async () => {
  const { confirmation, time, answers } = openDialog()
  const first = confirmation.confirm(added)
  await expect(confirmation.confirm(added)).resolves.toEqual(NOT_CONFIRMED)
  expect(answers).toHaveLength(1)
  time.now += 3_000
  answers[0]?.(true)
  await expect(first).resolves.toEqual(OK)
})

it('SECURITY: a click confirms nothing if it comes before the user can have read the dialog', async () => {
  const { answered, time } = openDialog()
  await expect(answered(true, 999)).resolves.toEqual(NOT_CONFIRMED)
  time.now += 5_000
  await expect(answered(true, 1_000)).resolves.toEqual(OK)
})

it('SECURITY: no dialog opens for 5 s after a refusal, and each further refusal doubles this time', async () => {
  const { confirmation, answered, answers, time } = openDialog()
  for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
    const before = answers.length
    await expect(answered(false)).resolves.toEqual(NOT_CONFIRMED)
    await expect(confirmation.confirm(added)).resolves.toEqual(waiting(seconds))
    time.now += seconds * 1_000 - 1
    await expect(confirmation.confirm(added)).resolves.toEqual(waiting(1))
    expect(answers).toHaveLength(before + 1)
    time.now += 1
  }
  await expect(answered(true)).resolves.toEqual(OK)
  await answered(false)
  await expect(confirmation.confirm(added)).resolves.toEqual(waiting(5))
})

describe('SECURITY: a confirmed address', () => {
  const unreachable = { ok: false, failure: { code: 'unreachable' } } as const
  async function openTried(outcome: Outcome = unreachable) {
    const dialog = openDialog()
    const { confirmation, answers, time } = dialog
    const tried = confirmation.confirm(added, async () => outcome)
    time.now += 3_000
    answers[0]?.(true)
    await expect(tried).resolves.toEqual(outcome)
    /** Asks for the confirmation of another change, and returns the number of dialogs so far. */
    const asksFor = (change: DestinationChange, probe?: () => Promise<Outcome>) => {
      void confirmation.confirm(change, probe)
      return answers.length
    }
    return { ...dialog, asksFor }
  }

  it('that didn’t answer can be saved once without asking the user again', async () => {
    const { confirmation, asksFor, answers } = await openTried()
    await expect(confirmation.confirm(added)).resolves.toEqual(OK)
    expect(answers).toHaveLength(1)
    expect(asksFor(added)).toBe(2)
  })

  it.each<[string, (tried: Awaited<ReturnType<typeof openTried>>) => number]>([
    ['another address', ({ asksFor }) => asksFor({ ...added, added: 'https://c.example.com' })],
    ['another try of the same address', ({ asksFor }) => asksFor(added, async () => OK)],
    [
      'the same address after five minutes',
      ({ asksFor, time }) => {
        time.now += 5 * 60_000
        return asksFor(added)
      },
    ],
  ])('if it didn’t answer, %s must be confirmed', async (_, asks) => {
    expect(asks(await openTried())).toBe(2)
  })

  it('that answered must be confirmed again before it is saved again', async () => {
    expect((await openTried(OK)).asksFor(added)).toBe(2)
  })
})

it('if a dialog can’t be shown, nothing is confirmed, and the next dialog can open', async () => {
  let isBroken = true
  const confirmation = new Confirmation({
    ask: async () => {
      if (isBroken) throw new Error('no display')
      return true
    },
    clock: { now: () => performance.now() },
  })
  await expect(confirmation.confirm(added)).rejects.toThrow('no display')
  isBroken = false
  await expect(confirmation.confirm(added)).resolves.toEqual(NOT_CONFIRMED)
})

const { destination: words } = (await loadTexts('en')).desktop
const A = 'https://data.example.com'

/** The normalised address, in the form in which it is saved. */
function normal(typed: string): string {
  const result = normaliseBaseAddress(typed)
  if (!result.ok) throw new Error(result.problem)
  return result.value
}

const changed = (from: string | undefined, to: string | undefined, field: AddressChange['field'] = 'baseAddress') =>
  ({ kind: 'change', addresses: [{ field, ...(from && { from }), ...(to && { to }) }] }) as const
const detailOf = (from: string | undefined, to: string | undefined) =>
  destinationDialog(changed(from, to), words).detail.split('\n')

describe('the confirmation dialog', () => {
  it('the dialog names the old and new host of every address that changes', () => {
    const change = {
      kind: 'change',
      addresses: [
        { field: 'baseAddress', from: A, to: 'https://b.example.com:8443' },
        { field: 'authUrl', to: 'https://login.example.com' },
      ],
    } as const
    expect(destinationDialog(change, words)).toEqual({
      message: 'Change where Latchkey sends your password?',
      detail: [
        'Service address\nFrom: https://data.example.com\nTo: https://b.example.com:8443',
        'Identity provider\nFrom: none\nTo: https://login.example.com',
        words.advice,
      ].join('\n\n'),
      confirm: 'Change',
      cancel: 'Cancel',
    })
  })

  it('if only the data address changes, the dialog speaks of the token and not of the password', () => {
    const to = 'https://api.example.com'
    expect(destinationDialog(changed(undefined, to, 'dataAddress'), words)).toMatchObject({
      message: 'Change where Latchkey sends your access token?',
      detail: `Data address\nFrom: none\nTo: ${to}\n\n${words.data.advice}`,
    })
  })
})

describe('SECURITY: a misleading host', () => {
  it.each([
    ['contains letters of another script', 'https://d\u0430ta.example.com', 'To: https://xn--dta-6cd.example.com'],
    ['is written right to left', 'https://example.\u202emoc', undefined],
    ['is a number', 'https://3221226219', 'To: https://192.0.2.235'],
    ['has another port', `${A}:444`, 'To: https://data.example.com:444'],
    ['names another host in its path', 'https://b.example.org/data.example.com', 'To: https://b.example.org'],
    ['contains line breaks', 'https://b.example.org/%0ATo:%0Ahttps:', 'To: https://b.example.org'],
    ['is this computer', 'http://127.0.0.1:8080', 'To: http://127.0.0.1:8080'],
  ])('that %s is either refused or shown unmistakably', (_, typed, line) => {
    if (line === undefined) return expect(() => normal(typed)).toThrow('notAnAddress')
    expect(detailOf(A, normal(typed))[2]).toBe(line)
  })

  it.each(['https://data.example.com@b.example.org', 'https://b.example.org\nhttps://c.example.org'])(
    'like %j is not a valid address',
    (typed) => {
      expect(normaliseBaseAddress(typed).ok).toBe(false)
    },
  )

  it('a host that is too long is cut at its beginning, because its end names the owner', () => {
    const long = `https://data.example.com.${'a.'.repeat(900)}b.example.org`
    const [, , line = ''] = detailOf(A, normal(long))
    expect(line).toMatch(/^To: https:\/\/…[a.]+\.b\.example\.org$/)
    expect(line.length).toBeLessThan(120)
  })
})

it('the dialog shows paths only if nothing but the path changes, and cuts long paths', () => {
  expect(detailOf(`${A}/one`, `${A}/two`).slice(1, 3)).toEqual([`From: ${A}/one`, `To: ${A}/two`])
  const [, , line = ''] = detailOf(A, `${A}/${'x'.repeat(1_000)}`)
  expect(line).toMatch(/\/x+…$/)
  expect(line.length).toBeLessThan(110)
})
