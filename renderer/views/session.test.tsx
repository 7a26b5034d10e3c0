import { cleanup, screen } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { button, callsOf, MINUTE, NOW, ok, openWindow, pass, press, refused, sessions, viewOf } from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const { active, unreachable, ending } = sessions

describe('the signed-in view says', () => {
  test('who, where, how long, and when the next token comes', async () => {
    await openWindow(viewOf(active))
    for (const text of ['data.example.com', '41 mins left', 'Renews by itself at 14:30', 'until 14:41']) {
      expect(screen.getByText(text)).toBeTruthy()
    }
  })

  test('the username where it isn’t the name', async () => {
    await openWindow(viewOf({ ...active, account: { ...active.account, displayName: 'Ana Gil' } }))
    expect(screen.getByRole('heading', { name: 'Signed in as Ana Gil' })).toBeTruthy()
    expect(screen.getByText('ana · data.example.com')).toBeTruthy()
  })

  test.each([
    ['keychain', /Kept in your keychain/],
    ['memory', /ends when you quit Latchkey/],
    ['unwritten', /doesn’t take the session right now/],
  ] as const)('where the session is kept: %s', async (kept, sentence) => {
    await openWindow(viewOf({ ...active, kept }))
    expect(screen.getByText(sentence)).toBeTruthy()
  })

  test('that the service’s tokens are short-lived, if they expire before they are refreshed', async () => {
    const { show } = await openWindow(viewOf(active))
    expect(screen.queryByText(/expire within seconds/)).toBeNull()
    const token = { receivedAt: NOW, expiresAt: NOW + 5_000, refreshesAt: NOW + 30_000 }
    await show(viewOf({ ...active, token }))
    expect(screen.getByText(/expire within seconds/)).toBeTruthy()
    await pass(MINUTE)
    expect(screen.getByText('None for now')).toBeTruthy()
  })

  test('that the user will be asked, where nothing can refresh the token', async () => {
    const { refreshesAt: _, ...token } = active.token
    await openWindow(viewOf({ ...active, token }))
    expect(screen.getByText('You’ll be asked to sign in again')).toBeTruthy()
  })
})

describe('the line of life', () => {
  const filled = () => document.querySelector('.life-left')?.getAttribute('width')
  const mark = () => document.querySelector('.life-mark')?.getAttribute('x')

  test('is filled by the time left, and marked where the refresh lies', async () => {
    await openWindow(viewOf(active))
    expect(filled()).toBe('68.3%')
    expect(mark()).toBe('18.3%')
  })

  test('moves once a minute, and not between', async () => {
    await openWindow(viewOf(active))
    await pass(59_000)
    expect(filled()).toBe('68.3%')
    await pass(1_000)
    expect(filled()).toBe('66.7%')
    expect(screen.getByText('40 mins left')).toBeTruthy()
  })

  test('never leaves its track', async () => {
    await openWindow(viewOf({ ...active, token: { ...active.token, expiresAt: NOW - MINUTE } }))
    expect(filled()).toBe('0.0%')
    expect(screen.getByText('None for now')).toBeTruthy()
  })
})

describe('while the service can’t be reached', () => {
  test('the session is kept, and the next try is counted down by the second', async () => {
    await openWindow(viewOf(unreachable))
    expect(screen.getByText('Latchkey can’t reach data.example.com.')).toBeTruthy()
    expect(screen.getByText('Trying again in 12 seconds.')).toBeTruthy()
    await pass(11_000)
    expect(screen.getByText('Trying again in 1 second.')).toBeTruthy()
    await pass(1_000)
    expect(screen.getByText('Trying again now.')).toBeTruthy()
  })

  test('the countdown is in no live region', async () => {
    await openWindow(viewOf(unreachable))
    expect(screen.getByText(/Trying again/).closest('[role=alert], [role=status], [aria-live]')).toBeNull()
  })

  test('no planned refresh is shown', async () => {
    await openWindow(viewOf(unreachable))
    expect(screen.queryByText(/Renews by itself/)).toBeNull()
    expect(document.querySelector('.life-mark')).toBeNull()
  })

  test('and the keychain doesn’t take the session, it isn’t said to be kept', async () => {
    await openWindow(viewOf({ ...unreachable, kept: 'unwritten' }))
    expect(screen.getByText(/Your keychain doesn’t take the session right now\./)).toBeTruthy()
    expect(screen.getByText('Trying again in 12 seconds.')).toBeTruthy()
    expect(screen.queryByText(/Your session is kept/)).toBeNull()
  })

  test('and no token is left, that is said', async () => {
    const { token: _, ...rest } = unreachable
    await openWindow(viewOf(rest))
    expect(screen.getByText('None for now')).toBeTruthy()
    expect(document.querySelector('.life')).toBeNull()
  })
})

describe('a session that has no refresh token', () => {
  const account = { ...active.account, grant: GRANTS.passwordRealm } as const
  const { refreshesAt: _, ...token } = active.token
  const session = { ...active, account, token, kept: 'memory' } as const

  test('offers no refresh, and blames no keychain', async () => {
    await openWindow(viewOf(session))
    expect(screen.queryByRole('button', { name: 'Renew now' })).toBeNull()
    expect(screen.getByText(/the session ends with its access token/)).toBeTruthy()
    expect(screen.queryByText(/keychain/)).toBeNull()
  })

  test('when it is about to end, asks to sign in', async () => {
    await openWindow(viewOf({ ...session, kind: 'ending', failure: { code: 'sessionEnded' } }))
    expect(screen.getByText('Your session can’t be renewed.')).toBeTruthy()
    const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names.slice(1)).toEqual(['Sign in again', 'Copy access token', 'Sign out'])
  })
})

test('what an identity provider fails of is told of the provider, by its name', async () => {
  const account = { ...active.account, grant: GRANTS.passwordRealm } as const
  const failure = {
    code: 'notConfigured',
    serverText: 'The client is unknown.',
    details: { host: 'login.example.com:443' },
  } as const
  const { show } = await openWindow(viewOf({ ...unreachable, account, failure }))
  expect(screen.getByText('Your identity provider doesn’t accept Latchkey’s settings.')).toBeTruthy()
  expect(screen.getByText(/Your identity provider says:/)).toBeTruthy()
  await show(viewOf({ ...unreachable, account, failure: { ...failure, code: 'unreachable' } }))
  expect(screen.getByText('Latchkey can’t reach login.example.com.')).toBeTruthy()
  expect(screen.getAllByRole('status')[0]?.textContent).toBe('Can’t reach login.example.com, session kept')
})

test('the password can be changed while the session lives, and not when it is ending', async () => {
  const { show } = await openWindow(viewOf(active))
  expect(button('Change password')).toBeTruthy()
  await show(viewOf(unreachable))
  expect(button('Change password')).toBeTruthy()
  await show(viewOf(ending))
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
})

test('an ending session says until when tools go on, and offers to sign in', async () => {
  await openWindow(viewOf(ending))
  expect(screen.getByText('Your session can’t be renewed.')).toBeTruthy()
  expect(screen.getByText(/Your tools go on until 14:41\./)).toBeTruthy()
  expect(button('Sign in again')).toBeTruthy()
})

describe('the actions', () => {
  test('Renew now asks once at a time, and says how it went', async () => {
    const { asked } = await openWindow(viewOf(active))
    const said = () => screen.getAllByRole('status').at(-1)?.textContent
    await press('Renew now')
    await press('Renewing…')
    expect(asked.map(({ name }) => name)).toEqual(['refreshNow'])
    await asked[0]?.answer(ok)
    expect(said()).toBe('Renewed.')
    await press('Renew now')
    await asked[1]?.answer(refused)
    expect(said()).toBe('Not renewed.')
  })

  test('what was not refreshed is so no longer once it refreshes by itself', async () => {
    const { asked, show } = await openWindow(viewOf(active))
    const said = () => screen.getAllByRole('status').at(-1)?.textContent
    await press('Renew now')
    await show(viewOf(unreachable))
    await asked[0]?.answer(refused)
    // The same token, in a view of a moment later.
    await show(viewOf({ ...unreachable, token: { ...active.token, expiresAt: active.token.expiresAt + 0.25 } }))
    expect(said()).toBe('Not renewed.')
    // Renewed within the second, as where the service is back at once.
    await show(viewOf({ ...active, token: { ...active.token, expiresAt: active.token.expiresAt + 400 } }))
    expect(said()).toBe('')
  })

  test('a refresh that failed and was made good later leaves no alert behind', async () => {
    const { asked, show } = await openWindow(viewOf(active))
    await press('Renew now')
    await show(viewOf(unreachable))
    await asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
    await show(viewOf(active))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a refresh by the timer leaves the button alone', async () => {
    await openWindow(viewOf({ ...active, refresh: 'running' }))
    expect(button('Renew now').getAttribute('aria-disabled')).toBe('false')
    expect(screen.getByText('Renewing…').tagName).toBe('SPAN')
  })

  test('Sign out asks once, and its failure is said', async () => {
    const { asked } = await openWindow(viewOf(active))
    await press('Sign out')
    await press('Sign out')
    expect(asked.map(({ name }) => name)).toEqual(['signOut'])
    await asked[0]?.answer({ ok: false, failure: { code: 'keychainUnavailable' } })
    expect(screen.getByRole('alert').textContent).toContain('Your keychain doesn’t answer.')
  })

  test('Copy says what becomes of it, for as long as the clipboard holds it', async () => {
    const { asked } = await openWindow(viewOf(active))
    const said = () => screen.queryByText('Copied. It leaves the clipboard in a minute.')
    await press('Copy access token')
    await asked[0]?.answer(ok)
    expect(callsOf(asked)).toEqual([['copyToken', undefined]])
    expect(said()?.getAttribute('role')).toBe('status')
    await pass(MINUTE - 1)
    expect(said()).toBeTruthy()
    await pass(1)
    expect(said()).toBeNull()
    expect(screen.getByText(/Kept in your keychain/)).toBeTruthy()
  })

  test('a copy that came to nothing is not said to be one', async () => {
    const { asked } = await openWindow(viewOf(active))
    await press('Copy access token')
    await asked[0]?.answer({ ok: false, failure: { code: 'notConfigured' } })
    expect(screen.getByText('Not copied: there is no access token for now.')).toBeTruthy()
    expect(screen.queryByText(/Copied/)).toBeNull()
  })

  test('without a token there is nothing to copy', async () => {
    const { token: _, ...rest } = unreachable
    const { asked } = await openWindow(viewOf(rest))
    expect(button('Copy access token').getAttribute('aria-disabled')).toBe('true')
    await press('Copy access token')
    expect(asked).toEqual([])
  })

  test.each(['Sign out', 'Copy access token'])(
    'SECURITY: the second click of a double one isn’t for %s',
    async (name) => {
      const { asked } = await openWindow(viewOf(active))
      button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
      expect(asked).toEqual([])
      button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
      expect(asked).toHaveLength(1)
    },
  )

  test('what lies where "Sign in" was does no harm', async () => {
    await openWindow(viewOf(active))
    const names = [...document.querySelectorAll('.actions button')].map(({ textContent }) => textContent)
    expect(names.slice(-2)).toEqual(['Renew now', 'Change password'])
  })
})

test('trouble comes beneath the token, which stays in its place', async () => {
  await openWindow(viewOf(unreachable, { agent: { enabled: true, uses: [{ name: 'curl', lastAt: NOW, count: 1 }] } }))
  const order = [...document.querySelectorAll('main > .card, main > .notice, main > .uses')]
  expect(order.map((part) => part.classList[0])).toEqual(['card', 'notice'])
})
