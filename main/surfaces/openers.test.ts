import { expect, test } from 'vitest'
import { createBrowserOpener, createFolderOpener, isOpenable, OpenLimit } from './openers.ts'

const SIGN_IN = 'response_type=code&client_id=latchkey&code_challenge=x&code_challenge_method=S256&state=s'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test.each([100, 30 * SECOND, MINUTE])(
  'SECURITY: a page that asks for new tabs every %i ms gets ever longer pauses, and can’t wait them out',
  (everyMs) => {
    let now = 0
    const limit = new OpenLimit(() => now)
    const loop = (forMs: number) => {
      const opened: number[] = []
      for (const end = now + forMs; now < end; now += everyMs) if (limit.take() === 0) opened.push(now / SECOND)
      return opened
    }
    const first = loop(MINUTE)
    if (everyMs === 100) expect(first).toEqual([0, 1, 3, 7, 15, 31])
    loop(HOUR)
    expect(loop(HOUR).length).toBeLessThanOrEqual(12)
  },
)

test.each([
  ['https://login.example.com/authorize?client_id=latchkey&request_uri=urn:ietf:params:oauth:request_uri:6esc', true],
  [`http://127.0.0.1:4711/auth?${SIGN_IN}`, true],
  [`http://login.example.com/authorize?${SIGN_IN}`, false],
  [`file:///etc/passwd?${SIGN_IN}`, false],
  [`https://ana:secret@login.example.com/authorize?${SIGN_IN}`, false],
  ['https://elsewhere.example.com/?response_type=code', false],
])('SECURITY: only a provider’s sign-in page may be opened: %s', (address, expected) => {
  expect(isOpenable(new URL(address))).toBe(expected)
})

test('SECURITY: the browser only gets sign-in addresses, and it and the file manager open only as often as allowed', async () => {
  const opened: string[] = []
  const shell = {
    openExternal: async (address: string) => void opened.push(address),
    showItemInFolder: (file: string) => void opened.push(file),
  }
  const open = createBrowserOpener({ shell, now: () => 0 })
  const page = `https://login.example.com/authorize?${SIGN_IN}`
  expect(await open(new URL('file:///etc/passwd'))).toMatchObject({ failure: { problem: 'browserUnavailable' } })
  expect(await open(new URL(page))).toMatchObject({ ok: true })
  expect(await open(new URL(page))).toMatchObject({ failure: { code: 'rateLimited', retryAfter: 1 } })
  const show = createFolderOpener({ shell, now: () => 0 })
  for (const file of ['a', 'b']) show(file)
  expect(opened).toEqual([page, 'a'])
})
