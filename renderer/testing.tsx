/** Opens the window with a fake main process, and has sample data. For tests only. */
import { signal } from '@preact/signals'
import { act, render, screen } from '@testing-library/preact'
import { onTestFinished, vi } from 'vitest'
import { type CallName, calls, type LatchkeyApi } from '../contract/calls.ts'
import { OK, type Outcome } from '../contract/failures.ts'
import { GRANTS } from '../contract/grants.ts'
import { SETTING_FIELDS, type SettingsView } from '../contract/settings.ts'
import { switchesOf } from '../contract/testing.ts'
import type { AppView, ConnectionView, SessionView } from '../contract/views.ts'
import { loadTexts } from '../text/index.ts'
import { App } from './app.tsx'

export const MINUTE = 60_000
export const NOW = new Date(2025, 0, 6, 14, 0).getTime()

export { OK as ok }
export const refused: Outcome = { ok: false, failure: { code: 'rejected' } }

export const connection: ConnectionView = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  grants: [GRANTS.password],
}

export const settings: SettingsView = {
  ...(Object.fromEntries(SETTING_FIELDS.map((field) => [field, {}])) as SettingsView),
  baseAddress: { value: 'https://data.example.com', source: 'user' },
}

const account = { username: 'ana', displayName: 'ana', grant: GRANTS.password } as const
const token = { receivedAt: NOW - 19 * MINUTE, expiresAt: NOW + 41 * MINUTE, refreshesAt: NOW + 30 * MINUTE }
const common = { account, token, refresh: 'idle', kept: 'keychain' } as const
const ended = { code: 'sessionEnded', serverText: 'this token was used before' } as const

export const sessions = {
  notConfigured: { kind: 'notConfigured' },
  restoring: { kind: 'restoring' },
  sessionUnread: { kind: 'sessionUnread', why: 'locked' },
  unknownVersion: { kind: 'unknownVersion' },
  signedOut: { kind: 'signedOut', revocation: 'none' },
  signingIn: { kind: 'signingIn' },
  active: { kind: 'active', ...common },
  unreachable: { kind: 'unreachable', ...common, failure: { code: 'unreachable' }, retryAt: NOW + 12_000 },
  ending: { kind: 'ending', ...common, failure: ended },
  expired: { kind: 'expired', account, refresh: 'idle', failure: ended },
} satisfies { readonly [K in SessionView['kind']]: Extract<SessionView, { kind: K }> }

export const viewOf = (session: SessionView, over: Partial<AppView> = {}): AppView => ({
  version: '0.1.0',
  notices: [],
  connections: [
    { name: 'default', isOwn: false, session, ...(session.kind === 'notConfigured' ? {} : { connection }) },
  ],
  mayAddConnections: true,
  shown: 'default',
  session,
  settings: session.kind === 'notConfigured' ? { ...settings, baseAddress: {} } : settings,
  agent: { uses: [] },
  needs: [],
  gateway: { kind: 'off' },
  switches: switchesOf(),
  offersStartAtLogin: false,
  ...(session.kind === 'notConfigured' ? {} : { connection }),
  ...over,
})

/** A call that the window made. The test answers it, or makes it fail. */
export interface Asked {
  readonly name: CallName
  readonly input: unknown
  readonly answer: (outcome: Outcome) => Promise<void>
  readonly crash: () => Promise<void>
}

export async function openWindow(first: AppView | undefined) {
  const asked: Asked[] = []
  const call =
    (name: CallName) =>
    (input?: unknown): Promise<Outcome> => {
      let resolve: (outcome: Outcome) => void = () => {}
      let reject: (reason: Error) => void = () => {}
      const promise = new Promise<Outcome>((yes, no) => {
        resolve = yes
        reject = no
      })
      asked.push({
        name,
        // Electron's bridge copies the input, too.
        input: structuredClone(input),
        answer: (outcome) =>
          act(async () => {
            resolve(outcome)
            await promise
          }),
        crash: () =>
          act(async () => {
            reject(new Error('no handler'))
            await promise.catch(() => {})
          }),
      })
      return promise
    }
  const api = {
    ...Object.fromEntries((Object.keys(calls) as CallName[]).map((name) => [name, call(name)])),
    onView: () => () => {},
  } as unknown as LatchkeyApi

  const texts = await loadTexts('en-GB')
  const view = signal(first)
  const { unmount } = render(<App api={api} texts={texts} view={view} />)
  return {
    asked,
    unmount,
    show: (next: AppView) =>
      act(async () => {
        view.value = next
      }),
  }
}

export const callsOf = (asked: readonly Asked[]): readonly (readonly [CallName, unknown])[] =>
  asked.map(({ name, input }) => [name, input])

export const openMenu = (): Promise<void> => press(/: menu$/)
export async function choose(item: string): Promise<void> {
  await openMenu()
  await act(async () => screen.getByRole('menuitem', { name: item }).click())
}

export async function openSettings(view: AppView) {
  const window = await openWindow(view)
  if ('kept' in view.session) await choose('Settings')
  else await press('Settings')
  return window
}

export async function openConnection(view: AppView) {
  const window = await openSettings(view)
  await press(/^(data\.example\.com|default)/)
  return window
}

/** Fakes a clipboard, which happy-dom lacks, and returns the texts that the page copies to it from now on. */
export function watchClipboard(isAllowed = true): readonly string[] {
  const copied: string[] = []
  const clipboardData = { setData: (_: string, text: string) => copied.push(text) }
  const copy = () => {
    if (isAllowed) document.dispatchEvent(Object.assign(new Event('copy', { cancelable: true }), { clipboardData }))
    return isAllowed
  }
  Object.defineProperty(document, 'execCommand', { value: copy, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'))
  return copied
}

export const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    vi.advanceTimersByTime(milliseconds)
  })

export const field = (label: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(label)
export const button = (name: string | RegExp): HTMLButtonElement =>
  screen.getByRole<HTMLButtonElement>('button', { name })
/** Focuses a button and clicks it, because `click` alone doesn't move the focus. */
export const press = (name: string | RegExp): Promise<void> =>
  act(async () => {
    button(name).focus()
    button(name).click()
  })
export const type = (label: string, value: string): Promise<void> =>
  act(async () => {
    const input = field(label)
    input.focus()
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
