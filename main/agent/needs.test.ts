import { expect, test } from 'vitest'
import { DeadlineClock } from '../base/clock.ts'
import { ManualTime } from '../session/testing/manual-time.ts'
import { SignInNeeds } from './needs.ts'

const python = { name: 'python' }
const start = () => {
  const time = new ManualTime()
  const needs = new SignInNeeds(new DeadlineClock(time))
  let changes = 0
  needs.subscribe(() => {
    changes += 1
  })
  const listed = () => {
    time.pass(1_000)
    return [needs.list(), changes]
  }
  return { needs, listed }
}

test('a tool that waits several times is listed once, for as long as it waits', () => {
  const { needs, listed } = start()
  const ends = [needs.hold('default', { userAgent: 'python' }), needs.hold('default', { userAgent: 'python' })]
  const other = needs.hold('default', { userAgent: 'R', host: 'cluster' })
  const r = { name: 'R', host: 'cluster' }
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [python, r] }], 1])
  for (const end of ends) end()
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [r] }], 2])
  other()
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [] }], 3])
})

test('until the sign-in, only the first tool that asked is noted, and only once', () => {
  const { needs, listed } = start()
  for (const userAgent of ['python', 'R', 'python']) needs.note('default', { userAgent })
  const need = { connection: 'default', first: python, waiting: [] }
  expect(listed()).toEqual([[need], 1])
  needs.note('staging', { userAgent: 'R' })
  needs.clear('default')
  needs.clear('nowhere')
  expect(listed()).toEqual([[{ connection: 'staging', first: { name: 'R' }, waiting: [] }], 2])
})

test('a tool that still waits after a sign-in, because it got no token, is not forgotten', () => {
  const { needs, listed } = start()
  needs.note('default', { userAgent: 'R' })
  const end = needs.hold('default', { userAgent: 'python' })
  needs.clear('default')
  expect(listed()[0]).toEqual([{ connection: 'default', first: python, waiting: [python] }])
  end()
  expect(listed()[0]).toEqual([])
})
