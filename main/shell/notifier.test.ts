import { beforeEach, describe, expect, it } from 'vitest'
import { DeadlineClock } from '../session/clock.ts'
import { HandTime } from '../session/testing/hand-time.ts'
import type { Notice } from './notification-model.ts'
import { Notifier } from './notifier.ts'

const HOUR = 3_600_000
const signIn: Notice = { topic: 'signIn', title: 'Sign in again', body: 'Your tools go on until 14:51.' }
const later: Notice = { ...signIn, body: 'Your tools get no access token.' }
const keychain: Notice = { topic: 'keychain', title: 'Your keychain can’t be written', body: '' }

let time: HandTime
let notifier: Notifier
let isWatched: boolean
/** All that was ever shown, and what stands there now. */
let shown: Notice[]
let standing: Notice[]

beforeEach(() => {
  time = new HandTime()
  isWatched = false
  shown = []
  standing = []
  notifier = new Notifier({
    clock: new DeadlineClock(time),
    isWatched: () => isWatched,
    show: (notice) => {
      shown.push(notice)
      standing.push(notice)
      return () => {
        standing = standing.filter((each) => each !== notice)
      }
    },
  })
})

describe('a notice', () => {
  it('is shown once, however often it is true', () => {
    notifier.render(signIn)
    notifier.render(later)
    time.pass(3 * HOUR)
    notifier.render(signIn)
    expect(shown).toEqual([signIn])
  })

  it('about another connection is another', () => {
    notifier.render({ ...signIn, connection: 'default' })
    notifier.render({ ...signIn, connection: 'staging' })
    expect(shown.map(({ connection }) => connection)).toEqual(['default', 'staging'])
    expect(standing).toHaveLength(1)
  })

  it('is closed when it is no longer true', () => {
    notifier.render(signIn)
    notifier.render(undefined)
    expect(standing).toEqual([])
  })

  it('of another topic takes its place', () => {
    notifier.render(signIn)
    notifier.render(keychain)
    expect(shown).toEqual([signIn, keychain])
    expect(standing).toEqual([keychain])
  })

  it('that comes up again is not repeated within the hour, and is told at its end in the words of then', () => {
    notifier.render(signIn)
    time.pass(10_000)
    notifier.render(undefined)
    notifier.render(signIn)
    notifier.render(later)
    time.pass(HOUR - 10_001)
    expect(shown).toEqual([signIn])
    time.pass(1)
    expect(shown).toEqual([signIn, later])
  })

  it('that comes up again and is over within the hour is not repeated', () => {
    notifier.render(signIn)
    notifier.render(undefined)
    notifier.render(signIn)
    notifier.render(undefined)
    time.pass(2 * HOUR)
    expect(shown).toEqual([signIn])
    expect(time.pending()).toBe(0)
  })

  it('is not shown to who is looking at the window, which says it', () => {
    isWatched = true
    notifier.render(signIn)
    isWatched = false
    notifier.render(later)
    expect(shown).toEqual([])
  })
})

it('quitting closes what stands there and leaves no timer', () => {
  notifier.render(signIn)
  notifier.render(undefined)
  notifier.render(signIn)
  notifier.stop()
  expect(standing).toEqual([])
  expect(time.pending()).toBe(0)
})
