import { signal } from '@preact/signals'
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LANGUAGES, loadTexts } from '../text/index.ts'
import { App } from './app.tsx'
import { prerender } from './prerender.tsx'
import { NOW, sessions, viewOf } from './testing.tsx'

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => {
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** The same view, shown by the page's script. */
async function shown(view: Parameters<typeof prerender>[0], html: string, language = 'en'): Promise<HTMLElement> {
  const root = document.createElement('div')
  document.body.append(root)
  root.innerHTML = html
  const texts = await loadTexts(language)
  await act(() => render(<App api={{} as never} texts={texts} view={signal(view)} />, root))
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

describe.each(Object.entries(sessions))('of the state %s', (_, session) => {
  const view = viewOf(session)

  test('the HTML is what the page’s script makes of it', async () => {
    const html = prerender(view, await loadTexts('en'))
    expect(comparable(parsed(html))).toEqual(comparable(await shown(view, '')))
  })

  test('the script takes it over, and nothing of it is moved or left', async () => {
    const html = prerender(view, await loadTexts('en'))
    const root = await shown(view, html)
    expect(comparable(root)).toEqual(comparable(await shown(view, '')))
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
    { agent: { enabled: true, uses: [{ tool: name, count: 1, lastAt: NOW }] } as never },
  )
  const root = parsed(prerender(view, await loadTexts('en')))
  expect(root.querySelector('img')).toBeNull()
  expect(root.querySelector('h1')?.textContent).toContain(name)
})
