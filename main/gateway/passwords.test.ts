import { expect, it } from 'vitest'
import { hashOf, newPassword, Passwords } from './passwords.ts'

const basic = (credentials: string) => [`Basic ${Buffer.from(credentials).toString('base64')}`]

function checking(hash?: string) {
  const time = { now: 0 }
  const passwords = new Passwords(() => hash, { now: () => time.now })
  return { time, check: (...headers: readonly string[]) => passwords.check(headers) }
}

it('SECURITY: a password has 32 random letters and digits, and no two are alike', () => {
  const made = Array.from({ length: 1_000 }, () => newPassword().reveal())
  expect(new Set(made).size).toBe(1_000)
  expect(made.every((each) => /^[A-Za-z0-9]{32}$/.test(each))).toBe(true)
  expect(new Set(made.join('')).size).toBe(62)
  expect(hashOf(newPassword())).toMatch(/^[\w+/]{43}=$/)
})

it('SECURITY: only the right username and password pass', () => {
  const password = newPassword()
  const right = password.reveal()
  const cases: [readonly string[], string][] = [
    [basic(`latchkey:${right}`), 'right'],
    [basic(`latchkey:${right}`).map((each) => each.replace('Basic', 'bAsIc')), 'right'],
    [[], 'wrong'],
    [[`Bearer ${right}`], 'wrong'],
    [basic(`ana:${right}`), 'wrong'],
    [basic(right), 'wrong'],
    [[...basic(`latchkey:${right}`), ...basic(`latchkey:${right}`)], 'wrong'],
  ]
  for (const [headers, kind] of cases) {
    expect(checking(hashOf(password)).check(...headers), String(headers)).toEqual({ kind })
  }
})

it.each([undefined, 'AAAA', 'A'.repeat(43)])('SECURITY: without a usable hash, no password is right: %s', (hash) => {
  expect(checking(hash).check(...basic('latchkey:'))).toEqual({ kind: 'wrong' })
})

it('SECURITY: after ten different wrong passwords a minute, only the right one passes without a wait', () => {
  const password = newPassword()
  const { check, time } = checking(hashOf(password))
  for (let n = 0; n < 1_000; n++) expect(check(...basic('latchkey:old'))).toEqual({ kind: 'wrong' })
  for (let n = 1; n < 10; n++) expect(check(...basic(`latchkey:${n}`))).toEqual({ kind: 'wrong' })
  expect(check(...basic('latchkey:10'))).toEqual({ kind: 'tooMany', retryAfter: 60 })
  // The right password still passes, so nobody can lock the user out. Nobody can guess 190 random bits, however fast.
  expect(check(...basic(`latchkey:${password.reveal()}`))).toEqual({ kind: 'right' })
  time.now = 59_500
  expect(check(...basic('latchkey:11'))).toEqual({ kind: 'tooMany', retryAfter: 1 })
  time.now = 60_000
  expect(check(...basic('latchkey:11'))).toEqual({ kind: 'wrong' })
})
