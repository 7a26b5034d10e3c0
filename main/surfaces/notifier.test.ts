import { beforeEach, describe, expect, it } from 'vitest'
import { DeadlineClock } from '../session/clock.ts'
import { ManualTime } from '../session/testing/manual-time.ts'
import type { Notice } from './notification-model.ts'
import { Notifier } from './notifier.ts'

const HOUR = 3_600_000
const signIn: Notice = { topic: 'signIn', title: 'Sign in again', body: 'Your tools go on until 14:51.' }
const later: Notice = { ...signIn, body: 'Your tools go on until 14:53.' }
const ended: Notice = { ...signIn, topic: 'ended', body: 'Your tools get no access token.' }
const keychain: Notice = { topic: 'keychain', title: 'Your session can’t be saved', body: '' }

let time: ManualTime
let notifier: Notifier
let isWatched: boolean
/** All notifications so far, and those on screen. */
let shown: Notice[]
let standing: Notice[]
/** Closes the notification, as the user or the desktop does. */
let dismiss: () => void

beforeEach(() => {
  time = new ManualTime()
  isWatched = false
  shown = []
  standing = []
  notifier = new Notifier({
    clock: new DeadlineClock(time),
    isWatched: () => isWatched,
    show: (notice, onGone) => {
      const close = () => {
        standing = standing.filter((each) => each !== notice)
      }
      shown.push(notice)
      standing.push(notice)
      dismiss = () => {
        close()
        onGone()
      }
      return close
    },
  })
})

describe('a notice', () => {
  it('is shown once while it is true', () => {
    notifier.render([signIn])
    notifier.render([later])
    time.pass(3 * HOUR)
    notifier.render([signIn])
    expect(shown).toEqual([signIn])
  })

  it('is closed when it is no longer true', () => {
    notifier.render([signIn])
    notifier.render([])
    expect(standing).toEqual([])
  })

  it('that is no longer true is replaced by the next', () => {
    notifier.render([signIn])
    notifier.render([keychain])
    expect(shown).toEqual([signIn, keychain])
    expect(standing).toEqual([keychain])
  })

  it('that becomes true again is not repeated within the hour, then shown with its current text', () => {
    notifier.render([signIn])
    time.pass(10_000)
    notifier.render([])
    notifier.render([signIn])
    notifier.render([later])
    time.pass(HOUR - 10_001)
    expect(shown).toEqual([signIn])
    time.pass(1)
    expect(shown).toEqual([signIn, later])
  })

  it('that becomes true again and ends within the hour is not repeated', () => {
    notifier.render([signIn])
    notifier.render([])
    notifier.render([signIn])
    notifier.render([])
    time.pass(2 * HOUR)
    expect(shown).toEqual([signIn])
    expect(time.pending()).toBe(0)
  })
})

describe('a session that has ended', () => {
  it('is shown immediately, even right after the notice that it can’t be refreshed', () => {
    notifier.render([signIn])
    time.pass(10_000)
    notifier.render([ended])
    expect(shown).toEqual([signIn, ended])
    expect(standing).toEqual([ended])
  })

  it('is shown immediately, whatever else is shown', () => {
    notifier.render([keychain])
    notifier.render([ended, keychain])
    expect(standing).toEqual([ended])
  })

  it('is shown again when the next session ends, however soon', () => {
    notifier.render([ended])
    notifier.render([])
    time.pass(10_000)
    notifier.render([ended])
    expect(shown).toEqual([ended, ended])
  })

  it('is shown once while it is true', () => {
    notifier.render([ended])
    time.pass(3 * HOUR)
    notifier.render([ended])
    expect(shown).toEqual([ended])
  })

  it('is shown immediately after the window said that it can’t be refreshed', () => {
    isWatched = true
    notifier.render([signIn])
    isWatched = false
    time.pass(10_000)
    notifier.render([ended])
    expect(shown).toEqual([ended])
  })
})

describe('with several notices', () => {
  const first: Notice = { ...ended, connection: 'default' }
  const second: Notice = { ...ended, connection: 'staging' }

  it('one is shown at a time, and the next when the first is gone', () => {
    notifier.render([first, second])
    expect(standing).toEqual([first])
    dismiss()
    expect(standing).toEqual([second])
    dismiss()
    time.pass(3 * HOUR)
    expect(shown).toEqual([first, second])
  })

  it('the next is shown when the hour of the first is over', () => {
    notifier.render([first, second])
    time.pass(HOUR - 1)
    expect(standing).toEqual([first])
    time.pass(1)
    expect(standing).toEqual([second])
  })

  it('the next is shown when the first is no longer true', () => {
    notifier.render([first, second])
    notifier.render([second])
    expect(standing).toEqual([second])
  })

  it('a notice that the notifier closed itself does not close the next', () => {
    notifier.render([first, second, keychain])
    const dismissFirst = dismiss
    notifier.render([second, keychain])
    dismissFirst()
    expect(standing).toEqual([second])
  })
})

describe('a user who sees the same message in the window', () => {
  beforeEach(() => {
    isWatched = true
    notifier.render([signIn])
  })

  it('gets no notification', () => {
    notifier.render([later])
    time.pass(3 * HOUR)
    expect(shown).toEqual([])
  })

  it('and leaves the window gets a notification within the hour, if it is still true', () => {
    isWatched = false
    time.pass(HOUR - 1)
    expect(shown).toEqual([])
    time.pass(1)
    expect(shown).toEqual([signIn])
  })

  it('and has acted gets no notification', () => {
    isWatched = false
    notifier.render([])
    time.pass(3 * HOUR)
    expect(shown).toEqual([])
    expect(time.pending()).toBe(0)
  })
})

it('quitting closes the notification and leaves no timer', () => {
  notifier.render([signIn])
  notifier.render([])
  notifier.render([signIn, keychain])
  notifier.stop()
  notifier.render([{ ...ended, connection: 'staging' }])
  expect(standing).toEqual([])
  expect(time.pending()).toBe(0)
})
