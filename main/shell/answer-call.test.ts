import { describe, expect, it } from 'vitest'
import { calls, type Handlers } from '../../contract/calls.ts'
import type { Outcome } from '../../contract/failures.ts'
import { answerCall } from './answer-call.ts'

const PASSWORD = 'correct horse battery'
const done: Outcome = { ok: true, value: undefined }
const signIn = { grant: 'password', username: 'ana', password: PASSWORD }

/** Handlers that note what reached them. */
function world(act: () => Promise<Outcome> = async () => done) {
  const reached: unknown[] = []
  const reported: [string, unknown][] = []
  const note = (input: unknown) => {
    reached.push(input)
    return act()
  }
  const handlers = Object.fromEntries(Object.keys(calls).map((name) => [name, note])) as unknown as Handlers
  const failures: string[] = []
  return {
    handlers,
    reached,
    reported,
    report: (where: string, error: unknown) => void reported.push([where, error]),
    failures,
    onFailure: (name: string, { code }: { readonly code: string }) => void failures.push(`${name} ${code}`),
  }
}

describe('answerCall', () => {
  it('hands what fits the contract to its handler, and answers with its outcome', async () => {
    const { reached, ...answering } = world()
    expect(await answerCall('signIn', signIn, answering)).toBe(done)
    expect(reached).toEqual([signIn])
  })

  it.each([
    ['nothing', undefined],
    ['a text', PASSWORD],
    ['a field too many', { ...signIn, remember: true }],
    ['a field too few', { grant: 'password', username: 'ana' }],
    ['a password that is no text', { ...signIn, password: [PASSWORD] }],
    ['an unknown method', { ...signIn, method: PASSWORD }],
    ['an empty password', { ...signIn, password: '' }],
    ['a password that is too long', { ...signIn, password: PASSWORD.repeat(1_000) }],
    ['a username with a colon', { ...signIn, username: `ana:${PASSWORD}` }],
  ])('refuses %s, reaches no handler and names no value', async (_, input) => {
    const { reached, reported, ...answering } = world()
    const outcome = await answerCall('signIn', input, answering)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalidInput' } })
    expect(JSON.stringify([outcome, reported])).not.toContain(PASSWORD)
    expect(reached).toEqual([])
  })

  it('tells of what failed, and of nothing else', async () => {
    const { failures, ...answering } = world(async () => ({ ok: false, failure: { code: 'rejected' } }))
    await answerCall('signIn', signIn, answering)
    await answerCall('signIn', {}, answering)
    expect(failures).toEqual(['signIn rejected'])
  })

  it('refuses an argument where the contract has none', async () => {
    const { reached, ...answering } = world()
    expect(await answerCall('signOut', {}, answering)).toMatchObject({ failure: { code: 'invalidInput' } })
    expect(reached).toEqual([])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error(PASSWORD))],
    [
      'throws',
      () => {
        throw new Error(PASSWORD)
      },
    ],
  ])('a handler that %s is reported, and the window is told in a plain sentence', async (_, act) => {
    const { reported, ...answering } = world(act)
    await expect(answerCall('renewNow', undefined, answering)).rejects.toThrow(
      /^Something went wrong inside Latchkey\.$/,
    )
    expect(reported).toEqual([['renewNow', expect.any(Error)]])
  })
})
