import { signal } from '@preact/signals'
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppView } from '../preload/contract.ts'
import { LANGUAGES, loadTexts } from '../text/index.ts'
import { App } from './app.tsx'
import { prerender } from './prerender.tsx'
import { connection, MINUTE, NOW, sessions, viewOf } from './testing.tsx'

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => {
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** What the page's script does with it. */
async function showIn(root: HTMLElement, view: AppView): Promise<HTMLElement> {
  document.body.append(root)
  const texts = await loadTexts('en')
  await act(() => render(<App api={{ ready: () => {} } as never} texts={texts} view={signal(view)} />, root))
  return root
}

const parsed = (html: string) => {
  const root = document.createElement('div')
  root.innerHTML = html
  return root
}

/** All that a page is, in any order of the attributes, but for one that happy-dom doesn't write when a script sets it. */
const comparable = (root: HTMLElement) =>
  [...root.querySelectorAll('*')].map((each) => {
    const names = each.getAttributeNames().filter((name) => name !== 'spellcheck')
    const text = [...each.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map((node) => node.nodeValue)
    const parent = each.parentElement?.tagName
    return [parent, each.tagName, text.join(''), names.sort().map((name) => `${name}=${each.getAttribute(name)}`)]
  })

const views = {
  ...Object.fromEntries(Object.entries(sessions).map(([kind, session]) => [kind, viewOf(session)])),
  'of two connections, with all that may stand beside it': viewOf(sessions.active, {
    connections: ['default', 'second'].map((name) => ({ name, isOwn: true, session: sessions.active, connection })),
    agent: { enabled: true, uses: [{ name: 'pandas', count: 2, lastAt: NOW - MINUTE }] },
    update: { version: '9.9.9' },
    notices: ['One.', 'Two.'],
  }),
}

describe.each(Object.entries(views))('of the view %s', (_, view) => {
  test('the HTML is what the page’s script makes of it', async () => {
    const html = prerender(view, await loadTexts('en'))
    expect(comparable(parsed(html))).toEqual(comparable(await showIn(document.createElement('div'), view)))
  })

  test('the script takes it over, and nothing of it is moved or left', async () => {
    const html = prerender(view, await loadTexts('en'))
    const root = parsed(html)
    const before = [...root.querySelectorAll('*')]
    await showIn(root, view)
    expect([...root.querySelectorAll('*')].filter((each) => !before.includes(each))).toEqual([])
    expect(comparable(root)).toEqual(comparable(await showIn(document.createElement('div'), view)))
  })

  test.each(LANGUAGES)('there is nothing in it that the content security policy refuses, in %s', async (language) => {
    const html = prerender(view, await loadTexts(language))
    for (const each of parsed(html).querySelectorAll('*')) {
      expect(['SCRIPT', 'STYLE', 'LINK', 'IFRAME', 'OBJECT', 'BASE']).not.toContain(each.tagName)
      expect(each.getAttributeNames().filter((name) => /^(style|on.*|src|href|action)$/.test(name))).toEqual([])
    }
  })
})

test('what others call themselves stays text', async () => {
  const name = '<img src=x onerror=alert(1)>"&'
  const { active } = sessions
  const view = viewOf(
    { ...active, account: { ...active.account, displayName: name } },
    { agent: { enabled: true, uses: [{ name, count: 1, lastAt: NOW }] }, notices: [name] },
  )
  const root = parsed(prerender(view, await loadTexts('en')))
  expect(root.querySelector('img')).toBeNull()
  expect(root.querySelector('h1')?.textContent).toContain(name)
  expect(root.querySelector('bdi')?.textContent).toBe(name)
  expect(root.querySelector('.notice')?.textContent).toBe(name)
})
