import { beforeEach, describe, expect, it } from 'vitest'
import { StartAtLogin } from './start-at-login.ts'

let enabled: boolean
let isRefused: boolean
let writes: number
let asked: unknown
let start: StartAtLogin

beforeEach(() => {
  enabled = false
  isRefused = false
  writes = 0
  asked = undefined
  start = new StartAtLogin(
    {
      isEnabled: () => enabled,
      set(wanted) {
        if (isRefused) throw new Error('EACCES')
        enabled = wanted
        writes += 1
      },
    },
    {
      get: () => asked,
      set: (value) => {
        asked = value
      },
    },
  )
})

describe('starting at login', () => {
  it.each([true, false])('is offered until the user has said yes or no: %s', (wanted) => {
    expect(start.view).toEqual({ enabled: false, offered: true })
    expect(start.set(wanted)).toMatchObject({ ok: true })
    expect(start.view).toEqual({ enabled: wanted, offered: false })
  })

  it('is offered still where the system refused', () => {
    isRefused = true
    expect(() => start.set(true)).toThrow('EACCES')
    expect(start.view).toEqual({ enabled: false, offered: true })
  })

  it('is turned over by the tray', () => {
    start.toggle()
    expect(start.view).toEqual({ enabled: true, offered: false })
    start.toggle()
    expect(start.view).toEqual({ enabled: false, offered: false })
  })

  it('is written anew where it is on, and never turned on by that', () => {
    start.refresh()
    expect(writes).toBe(0)
    start.set(true)
    start.refresh()
    expect(writes).toBe(2)
  })
})

it('an app that can’t start at login shows nothing of it, and says so', () => {
  const none = new StartAtLogin(undefined, { get: () => asked, set: () => {} })
  expect(none.view).toBeUndefined()
  expect(none.set(true)).toMatchObject({ ok: false, failure: { code: 'notConfigured' } })
  none.refresh()
})
