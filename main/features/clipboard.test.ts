import { beforeEach, describe, expect, it } from 'vitest'
import { type FailureCode, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type AccessToken, accessToken } from '../base/secret.ts'
import { Clipboard } from './clipboard.ts'

const TOKEN = accessToken('eyJ.first')
const SECOND = accessToken('eyJ.second')

const never = () => Promise.reject(new Error('refreshed for nothing'))

let time: ManualTime
let content: string
let selected: string
let tokens: Clipboard
/** The token of each connection's session. */
let held: Record<string, AccessToken>
let hasSession: boolean
let isValid: boolean
let refresh: () => Promise<Outcome>
let isForbidden: boolean

describe.each([
  ['at once', <T>(value: T) => value],
  ['asynchronously', async <T>(value: T) => value],
] as const)('with a clipboard that answers %s, an access token', (_, answer) => {
  beforeEach(() => {
    time = new ManualTime()
    content = 'before'
    const clipboard = {
      readText: () => answer(content),
      writeText: (text: string) => {
        content = text
        return answer(undefined)
      },
      clear: () => {
        content = ''
      },
      selection: {
        readText: () => answer(selected),
        clear: () => {
          selected = ''
        },
      },
    }
    selected = ''
    held = { default: TOKEN, second: SECOND }
    hasSession = true
    isValid = true
    refresh = never
    isForbidden = false
    const session = (name = 'default') => ({
      get accessToken() {
        return held[name]
      },
      get hasValidToken() {
        return isValid
      },
      refresh: () => refresh(),
    })
    tokens = new Clipboard({
      clipboard,
      clock: new DeadlineClock(time),
      session: (name) => (hasSession ? session(name) : undefined),
      isForbidden: () => isForbidden,
      changed: () => {},
    })
  })

  it('SECURITY: can’t be copied while the administrator forbids tools to get tokens', async () => {
    isForbidden = true
    expect(tokens.canCopyToken('default')).toBe(false)
    expect(await tokens.copyToken()).toMatchObject({ ok: false })
    expect(content).toBe('before')
  })

  it('is removed 60 seconds after it was copied', async () => {
    await tokens.copyToken()
    await time.passSettling(59_999)
    expect(content).toBe('eyJ.first')
    await time.passSettling(1)
    expect(content).toBe('')
  })

  it('is not removed if the user has copied other text since', async () => {
    await tokens.copyToken()
    content = 'a poem'
    await time.passSettling(60_000)
    expect(content).toBe('a poem')
  })

  it('stays on the clipboard if it was copied while an earlier token was being removed', async () => {
    await tokens.copyToken()
    delete held['default']
    const clearing = tokens.sessionsChanged()
    await tokens.copyToken('second')
    await clearing
    expect(content).toBe('eyJ.second')
  })

  it('SECURITY: is removed when the app quits, and no token can be copied after that', async () => {
    await tokens.copyToken()
    const stopped = tokens.stop()
    await tokens.copyToken('second')
    await stopped
    await tokens.copyToken()
    expect(content).toBe('')
    expect(time.pending()).toBe(0)
  })

  it('is removed when the user signs out, but not when the token is refreshed', async () => {
    await tokens.copyToken()
    held['default'] = SECOND
    await tokens.sessionsChanged()
    expect(content).toBe('eyJ.first')
    delete held['default']
    await tokens.sessionsChanged()
    expect(content).toBe('')
    expect(time.pending()).toBe(0)
  })

  it('is refreshed before it is copied, if it has expired', async () => {
    isValid = false
    refresh = async () => {
      held = { default: accessToken('eyJ.fresh') }
      isValid = true
      return OK
    }
    await expect(tokens.handlers.copyToken()).resolves.toEqual(OK)
    expect(content).toBe('eyJ.fresh')
  })

  it.each<[FailureCode, string, typeof held | undefined]>([
    ['sessionEnded', 'the session ends during the refresh', { default: TOKEN }],
    ['sessionEnded', 'the session has no token', {}],
    ['notConfigured', 'there is no session', undefined],
  ])('can’t be copied (%s) if %s', async (code, _, given) => {
    isValid = false
    hasSession = given !== undefined
    held = given ?? {}
    refresh = async () => OK
    await expect(tokens.handlers.copyToken()).resolves.toEqual({ ok: false, failure: { code } })
    expect(content).toBe('before')
  })

  it('is also removed from the primary selection, to which a clipboard manager may have copied it', async () => {
    selected = 'eyJ.first'
    await tokens.copyToken()
    await time.passSettling(60_000)
    expect([content, selected]).toEqual(['', ''])
    await tokens.copyToken()
    selected = 'a poem'
    await time.passSettling(60_000)
    expect([content, selected]).toEqual(['', 'a poem'])
  })
})

describe('SECURITY: on a slow clipboard, no copied token stays behind', () => {
  function slowClipboard() {
    let content = ''
    const pending: (() => void)[] = []
    const slow = <T>(work: () => T) => new Promise<T>((resolve) => pending.push(() => resolve(work())))
    const clipboard = {
      readText: () => slow(() => content),
      // Writing takes longer than reading.
      async writeText(text: string) {
        await slow(() => {})
        await slow(() => {
          content = text
        })
      },
      clear: () => {
        content = ''
      },
    }
    /** Answers all pending calls of the clipboard. */
    const answer = async () => {
      for (let rounds = 0; rounds < 5; rounds++) {
        await new Promise(setImmediate)
        for (const each of pending.splice(0)) each()
      }
    }
    const session: { accessToken: AccessToken | undefined; hasValidToken: boolean; refresh: typeof never } = {
      accessToken: TOKEN,
      hasValidToken: true,
      refresh: never,
    }
    const clock = new DeadlineClock(new ManualTime())
    const tokens = new Clipboard({
      clipboard,
      clock,
      session: () => session,
      isForbidden: () => false,
      changed: () => {},
    })
    return { tokens, session, answer, content: () => content }
  }

  it('when the app quits while the token of an ended session is being removed', async () => {
    const { tokens, session, answer, content } = slowClipboard()
    const copied = tokens.copyToken()
    await answer()
    await copied
    session.accessToken = undefined
    void tokens.sessionsChanged()
    const atTheEnd = tokens.stop().then(content)
    await answer()
    await expect(atTheEnd).resolves.toBe('')
  })

  it('when the session ends while the token is being copied', async () => {
    const { tokens, session, answer, content } = slowClipboard()
    const copied = tokens.copyToken()
    session.accessToken = undefined
    const removed = tokens.sessionsChanged()
    await answer()
    await Promise.all([copied, removed])
    expect(content()).toBe('')
  })
})
