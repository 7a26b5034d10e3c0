import { beforeEach, describe, expect, it } from 'vitest'
import { LoginItemFeature } from './login-item.ts'

let enabled: boolean
let isRefused: boolean
let writes: number
let asked: unknown
let changes: number
let reported: string[]
let start: LoginItemFeature

beforeEach(() => {
  enabled = false
  isRefused = false
  writes = 0
  asked = undefined
  changes = 0
  reported = []
  start = new LoginItemFeature({
    item: {
      isEnabled: () => enabled,
      set(wanted) {
        if (isRefused) throw new Error('EACCES')
        enabled = wanted
        writes += 1
      },
      refresh() {
        writes += 1
      },
    },
    asked: {
      get: () => asked,
      set: (value) => {
        asked = value
      },
    },
    report: (where) => reported.push(where),
    changed: () => {
      changes += 1
    },
  })
})

const set = (wanted: boolean) => start.handlers.setStartAtLogin({ enabled: wanted })

describe('starting at login', () => {
  it.each([true, false])('is offered until the user has said yes or no: %s', async (wanted) => {
    expect(start.view()).toEqual({ startAtLogin: { enabled: false, offered: true } })
    expect(await set(wanted)).toMatchObject({ ok: true })
    expect(start.view()).toEqual({ startAtLogin: { enabled: wanted, offered: false } })
    expect(changes).toBe(1)
  })

  it('is offered still where the system refused', async () => {
    isRefused = true
    await expect(set(true)).rejects.toThrow('EACCES')
    expect(start.view()).toEqual({ startAtLogin: { enabled: false, offered: true } })
  })

  it('is turned over by the tray', () => {
    expect(start.toggle()).toBe(true)
    expect(start.view()).toEqual({ startAtLogin: { enabled: true, offered: false } })
    expect(start.toggle()).toBe(true)
    expect(start.view()).toEqual({ startAtLogin: { enabled: false, offered: false } })
  })

  it('that the system refuses to the tray is reported, and the tray is told', () => {
    isRefused = true
    expect(start.toggle()).toBe(false)
    expect(reported).toEqual(['startAtLogin'])
    expect(changes).toBe(1)
  })

  it('is written again where it is on, and never turned on by that', async () => {
    start.start()
    expect(writes).toBe(0)
    await set(true)
    start.start()
    expect(writes).toBe(2)
  })
})

it('an app that can’t start at login shows nothing of it, and says so', async () => {
  const ports = { asked: { get: () => asked, set: () => {} }, report: () => {}, changed: () => {} }
  const none = new LoginItemFeature({ ...ports, item: undefined })
  expect(none.view()).toEqual({})
  expect(await none.handlers.setStartAtLogin({ enabled: true })).toMatchObject({
    ok: false,
    failure: { code: 'notConfigured' },
  })
  expect(none.toggle()).toBe(false)
  none.start()
})
