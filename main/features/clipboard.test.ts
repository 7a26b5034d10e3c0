import { beforeEach, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type AccessToken, accessToken } from '../base/secret.ts'
import { Clipboard } from './clipboard.ts'

const sessionWith = (token: string) => ({
  accessToken: accessToken(token) as AccessToken | undefined,
  hasValidToken: true,
  refresh: async (): Promise<Outcome> => OK,
})

let time: ManualTime
let content: string
let selected: string
let session: ReturnType<typeof sessionWith> | undefined
let isForbidden: boolean
let pending: (() => void)[] | undefined
let tokens: Clipboard

const onClipboard = <T>(work: () => T): Promise<T> =>
  new Promise((resolve) => {
    const answer = () => resolve(work())
    if (pending === undefined) answer()
    else pending.push(answer)
  })

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
  session = sessionWith('first')
  isForbidden = false
  pending = undefined
  const second = sessionWith('second')
  tokens = new Clipboard({
    clipboard: {
      readText: () => onClipboard(() => content),
      // On a slow clipboard, writing takes longer than reading.
      async writeText(text) {
        if (pending !== undefined) await onClipboard(() => {})
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
    session: (name) => (name === 'second' ? second : session),
    isForbidden: () => isForbidden,
    changed: () => {},
  })
})

const endSession = () => Object.assign(session ?? {}, { accessToken: undefined })

it('SECURITY: a token can’t be copied while the administrator forbids tools to get tokens', async () => {
  isForbidden = true
  expect(tokens.canCopyToken('default')).toBe(false)
  expect(await tokens.copyToken()).toMatchObject({ ok: false })
  const forbidMeanwhile = async () => {
    Object.assign(session ?? {}, { hasValidToken: true })
    isForbidden = true
    return OK
  }
  session = { ...sessionWith('second'), hasValidToken: false, refresh: forbidMeanwhile }
  isForbidden = false
  expect(await tokens.copyToken()).toMatchObject({ ok: false })
  expect(content).toBe('before')
})

it('SECURITY: a copied token is removed after 60 seconds, also from the primary selection, but nothing else is', async () => {
  selected = 'first'
  await tokens.copyToken()
  await time.passSettling(59_999)
  expect([content, selected]).toEqual(['first', 'first'])
  await time.passSettling(1)
  expect([content, selected]).toEqual(['', ''])
  await tokens.copyToken()
  selected = 'a song'
  content = 'a poem'
  await time.passSettling(60_000)
  expect([content, selected]).toEqual(['a poem', 'a song'])
})

it('a copied token is removed when its session ends, but not when it is refreshed or another one was copied since', async () => {
  await tokens.copyToken()
  Object.assign(session ?? {}, { accessToken: accessToken('refreshed') })
  await tokens.sessionsChanged()
  expect(content).toBe('first')
  endSession()
  const clearing = tokens.sessionsChanged()
  await tokens.copyToken('second')
  await clearing
  expect(content).toBe('second')
  session = sessionWith('third')
  await tokens.copyToken()
  endSession()
  await tokens.sessionsChanged()
  expect([content, time.pending()]).toEqual(['', 0])
})

it('SECURITY: a copied token is removed when the app quits, and no secret can be copied after that', async () => {
  await tokens.copyToken()
  const stopped = tokens.stop()
  await tokens.copyToken('second')
  await stopped
  await tokens.copy(accessToken('a gateway’s password'), 300_000)
  expect([content, time.pending()]).toEqual(['', 0])
})

it('an expired token is refreshed before it is copied, unless that ends the session', async () => {
  const expired = Object.assign(sessionWith('expired'), { hasValidToken: false })
  session = expired
  expect(await tokens.handlers.copyToken()).toMatchObject({ failure: { code: 'sessionEnded' } })
  session = undefined
  expect(await tokens.handlers.copyToken()).toMatchObject({ failure: { code: 'notConfigured' } })
  expect(content).toBe('before')
  session = expired
  expired.refresh = async () => {
    Object.assign(expired, sessionWith('fresh'))
    return OK
  }
  expect(await tokens.handlers.copyToken()).toEqual(OK)
  expect(content).toBe('fresh')
})

it('SECURITY: on a slow clipboard, no token stays behind if its session ends while it is copied, or if the app quits then', async () => {
  pending = []
  const copied = tokens.copyToken()
  endSession()
  const removed = tokens.sessionsChanged()
  await answerAll()
  await Promise.all([copied, removed])
  expect(content).toBe('')

  session = sessionWith('third')
  const again = tokens.copyToken()
  await answerAll()
  await again
  endSession()
  void tokens.sessionsChanged()
  const atTheEnd = tokens.stop().then(() => content)
  await answerAll()
  expect(await atTheEnd).toBe('')
})
