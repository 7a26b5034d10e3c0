import { beforeEach, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type AccessToken, accessToken } from '../base/secret.ts'
import { Clipboard } from './clipboard.ts'

const TOKEN = accessToken('eyJ.first')
const SECOND = accessToken('eyJ.second')

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
/** The calls of a slow clipboard that wait for their answer. */
let pending: (() => void)[] | undefined

const onClipboard = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    const answer = () => resolve(work())
    if (pending === undefined) answer()
    else pending.push(answer)
  })

/** Answers all pending calls of a slow clipboard. */
async function answerAll(): Promise<void> {
  for (let rounds = 0; rounds < 5; rounds++) {
    await settle()
    for (const each of pending?.splice(0) ?? []) each()
  }
}

beforeEach(() => {
  time = new ManualTime()
  content = 'before'
  selected = ''
  held = { default: TOKEN, second: SECOND }
  hasSession = true
  isValid = true
  refresh = () => Promise.reject(new Error('refreshed for nothing'))
  isForbidden = false
  pending = undefined
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
    clipboard: {
      readText: () => onClipboard(() => content),
      // Writing takes longer than reading.
      async writeText(text) {
        await onClipboard(() => {})
        await onClipboard(() => {
          content = text
        })
      },
      clear: () => {
        content = ''
      },
      selection: {
        readText: () => onClipboard(() => selected),
        clear: () => {
          selected = ''
        },
      },
    },
    clock: new DeadlineClock(time),
    session: (name) => (hasSession ? session(name) : undefined),
    isForbidden: () => isForbidden,
    changed: () => {},
  })
})

it('SECURITY: a token can’t be copied while the administrator forbids tools to get tokens', async () => {
  isForbidden = true
  expect(tokens.canCopyToken('default')).toBe(false)
  expect(await tokens.copyToken()).toMatchObject({ ok: false })
  expect(content).toBe('before')
})

it('SECURITY: a copied token is removed after 60 seconds, also from the primary selection, but nothing else is', async () => {
  selected = 'eyJ.first'
  await tokens.copyToken()
  await time.passSettling(59_999)
  expect([content, selected]).toEqual(['eyJ.first', 'eyJ.first'])
  await time.passSettling(1)
  expect([content, selected]).toEqual(['', ''])
  await tokens.copyToken()
  selected = 'a song'
  content = 'a poem'
  await time.passSettling(60_000)
  expect([content, selected]).toEqual(['a poem', 'a song'])
})

it('a token stays on the clipboard if it was copied while an earlier token was being removed', async () => {
  await tokens.copyToken()
  delete held['default']
  const clearing = tokens.sessionsChanged()
  await tokens.copyToken('second')
  await clearing
  expect(content).toBe('eyJ.second')
})

it('SECURITY: a copied token is removed when the app quits, and no token can be copied after that', async () => {
  await tokens.copyToken()
  const stopped = tokens.stop()
  await tokens.copyToken('second')
  await stopped
  await tokens.copyToken()
  expect([content, time.pending()]).toEqual(['', 0])
})

it('a copied token is removed when the user signs out, but not when the token is refreshed', async () => {
  await tokens.copyToken()
  held['default'] = SECOND
  await tokens.sessionsChanged()
  expect(content).toBe('eyJ.first')
  delete held['default']
  await tokens.sessionsChanged()
  expect([content, time.pending()]).toEqual(['', 0])
})

it('an expired token is refreshed before it is copied, unless that ends the session', async () => {
  isValid = false
  refresh = async () => OK
  expect(await tokens.handlers.copyToken()).toMatchObject({ failure: { code: 'sessionEnded' } })
  hasSession = false
  expect(await tokens.handlers.copyToken()).toMatchObject({ failure: { code: 'notConfigured' } })
  expect(content).toBe('before')
  hasSession = true
  refresh = async () => {
    held = { default: accessToken('eyJ.fresh') }
    isValid = true
    return OK
  }
  expect(await tokens.handlers.copyToken()).toEqual(OK)
  expect(content).toBe('eyJ.fresh')
})

it('SECURITY: on a slow clipboard, no token stays behind if its session ends while it is copied, or if the app quits then', async () => {
  pending = []
  const copied = tokens.copyToken()
  delete held['default']
  const removed = tokens.sessionsChanged()
  await answerAll()
  await Promise.all([copied, removed])
  expect(content).toBe('')

  held['default'] = TOKEN
  const again = tokens.copyToken()
  await answerAll()
  await again
  delete held['default']
  void tokens.sessionsChanged()
  const atTheEnd = tokens.stop().then(() => content)
  await answerAll()
  await expect(atTheEnd).resolves.toBe('')
})
