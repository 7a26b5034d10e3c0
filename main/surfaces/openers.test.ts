import { beforeEach, expect, test } from 'vitest'
import { createBrowserOpener, createFolderOpener, isOpenable, OpenLimit } from './openers.ts'

const SIGN_IN = 'response_type=code&client_id=latchkey&code_challenge=x&code_challenge_method=S256&state=s'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let now: number
let limit: OpenLimit

beforeEach(() => {
  now = 0
  limit = new OpenLimit(() => now)
})

/** The times at which a page is opened, if it is requested every `everyMs`. */
function loop(everyMs: number, forMs: number): number[] {
  const opened: number[] = []
  for (const end = now + forMs; now < end; now += everyMs) if (limit.take() === 0) opened.push(now)
  return opened
}

test('SECURITY: if a page keeps asking for new tabs, the pauses between tabs grow', () => {
  expect(loop(100, MINUTE).map((at) => at / SECOND)).toEqual([0, 1, 3, 7, 15, 31])
  loop(100, 10 * MINUTE)
  expect(loop(100, HOUR)).toHaveLength(12)
})

test('SECURITY: a page can’t get around the limit on tabs by waiting between its requests', () => {
  for (const everyMs of [SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]) {
    limit = new OpenLimit(() => now)
    loop(everyMs, HOUR)
    expect(loop(everyMs, HOUR).length).toBeLessThanOrEqual(12)
  }
})

test.each([
  'https://login.example.com/authorize?client_id=latchkey&request_uri=urn:ietf:params:oauth:request_uri:6esc',
  `https://login.example.com/authorize?${SIGN_IN}`,
  `http://127.0.0.1:4711/auth?${SIGN_IN}`,
])('a provider’s sign-in page may be opened: %s', (address) => {
  expect(isOpenable(new URL(address))).toBe(true)
})

test.each([
  `http://login.example.com/authorize?${SIGN_IN}`,
  `file:///etc/passwd?${SIGN_IN}`,
  `smb://files.example.com/share?${SIGN_IN}`,
  `javascript:alert(1)?${SIGN_IN}`,
  `ms-msdt:/id?${SIGN_IN}`,
  `https://ana:secret@login.example.com/authorize?${SIGN_IN}`,
  'https://login.example.com/authorize',
  'https://elsewhere.example.com/?response_type=code',
])('an address that isn’t a safe sign-in page may not be opened: %s', (address) => {
  expect(isOpenable(new URL(address))).toBe(false)
})

test('SECURITY: the browser only gets sign-in addresses, and only as often as the limit allows', async () => {
  const opened: string[] = []
  const open = createBrowserOpener({
    shell: { openExternal: async (address) => void opened.push(address) },
    now: () => now,
  })
  const page = `https://login.example.com/authorize?${SIGN_IN}`
  expect(await open(new URL('file:///etc/passwd'))).toMatchObject({ failure: { problem: 'browserUnavailable' } })
  expect(await open(new URL(page))).toMatchObject({ ok: true })
  expect(await open(new URL(page))).toMatchObject({ failure: { code: 'rateLimited', retryAfter: 1 } })
  expect(opened).toEqual([page])
})

test('SECURITY: the file manager only opens as often as the limit allows', () => {
  const shown: string[] = []
  const show = createFolderOpener({ shell: { showItemInFolder: (file) => void shown.push(file) }, now: () => now })
  for (const file of ['a', 'b']) show(file)
  now += SECOND
  show('c')
  expect(shown).toEqual(['a', 'c'])
})
