import { signal } from '@preact/signals'
import { act, fireEvent, render, screen } from '@testing-library/preact'
import { onTestFinished, vi } from 'vitest'
import { type CallName, calls, type LatchkeyApi } from '../contract/calls.ts'
import { type Failure, OK, type Outcome } from '../contract/failures.ts'
import { sessionsAt } from '../contract/testing.ts'
import type { AppView } from '../contract/views.ts'
import { loadTexts } from '../text/index.ts'
import { App } from './app.tsx'

export const MINUTE = 60_000
export const NOW = new Date(2025, 0, 6, 14, 0).getTime()

export { connection, settings, switchesOf, viewOf } from '../contract/testing.ts'
export { OK as ok }
export const sessions = sessionsAt(NOW)

export const failed = (failure: Failure): Outcome => ({ ok: false, failure })
export const refused = failed({ code: 'rejected' })

export interface Asked {
  readonly name: CallName
  readonly input: unknown
  readonly answer: (outcome: Outcome<unknown>) => Promise<void>
  readonly crash: () => Promise<void>
}

export async function openWindow(first: AppView | undefined) {
  const asked: Asked[] = []
  const call = (name: CallName) => (input?: unknown) => {
    const promise = new Promise<Outcome<unknown>>((resolve, reject) => {
      const settle = (how: () => void) =>
        act(async () => {
          how()
          await promise.catch(() => {})
        })
      asked.push({
        name,
        // Electron's bridge copies the input, too.
        input: structuredClone(input),
        answer: (outcome) => settle(() => resolve(outcome)),
        crash: () => settle(() => reject(new Error('no handler'))),
      })
    })
    return promise
  }
  const api = {
    ...Object.fromEntries((Object.keys(calls) as CallName[]).map((name) => [name, call(name)])),
    onView: () => () => {},
  } as unknown as LatchkeyApi

  const texts = await loadTexts('en-GB')
  const view = signal(first)
  render(<App api={api} texts={texts} view={view} />)
  return {
    asked,
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

export const title = () => screen.getByRole('heading', { level: 1 }).textContent
export const alerted = () => screen.queryByRole('alert')?.textContent ?? null
export const field = (label: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(label)
export const button = (name: string | RegExp): HTMLButtonElement =>
  screen.getByRole<HTMLButtonElement>('button', { name })
/** Focuses a button and clicks it, because `click` alone doesn't move the focus. */
export const press = (name: string | RegExp): Promise<void> =>
  act(async () => {
    button(name).focus()
    button(name).click()
  })
export const pressEscape = (where: Element = document.body) =>
  act(async () => void fireEvent.keyDown(where, { key: 'Escape' }))
export const type = (label: string, value: string): Promise<void> =>
  act(async () => {
    const input = field(label)
    input.focus()
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
