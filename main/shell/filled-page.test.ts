import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { AppView } from '../../preload/contract.ts'
import { loadTexts } from '../../text/index.ts'
import { filledPage } from './filled-page.ts'

const page = readFileSync(path.resolve('renderer/index.html'), 'utf8')
let reported: unknown[]
beforeEach(() => {
  reported = []
})

async function filled(over: Partial<AppView> = {}, html: () => string = () => '<p>$& $1 Grüße</p>', from = page) {
  return filledPage(from, {
    settled: async () => {},
    view: () => ({ session: { kind: 'signedOut', revocation: 'none' }, ...over }) as AppView,
    texts: await loadTexts('de'),
    load: async () => ({ prerender: html }),
    report: (...told) => reported.push(told),
  })
}

test('the view stands where the page’s script shows it, in its language, and answers nobody yet', async () => {
  const served = await filled()
  expect(served).toContain('<div id="app" inert><p>$& $1 Grüße</p></div>')
  expect(served).toContain('<html lang="de">')
  expect(served.match(/Content-Security-Policy/g)).toHaveLength(1)
  expect(reported).toEqual([])
})

test.each([
  ['another screen is asked for', { opening: { screen: 'settings', number: 1 } }],
  ['the session is being restored', { session: { kind: 'restoring' } }],
] as const)('where %s, the page comes without it', async (_, over) => {
  expect(await filled(over)).toBe(page)
  expect(reported).toEqual([])
})

test('what goes wrong is told, and the page comes without it', async () => {
  const bug = new Error('a bug')
  const throws = () => {
    throw bug
  }
  expect(await filled({}, throws)).toBe(page)
  expect(reported).toEqual([['prerender', bug]])
  for (const without of ['<html lang="en"></html>', '<div id="app"></div>']) {
    expect(await filled({}, undefined, without)).toBe(without)
  }
  expect(reported).toHaveLength(3)
})

test('the view is read once it is settled', async () => {
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  let kind = 'restoring'
  let looks = 0
  const filling = filledPage(page, {
    settled: () => settled,
    view: () => {
      looks += 1
      return { session: { kind } } as AppView
    },
    texts: await loadTexts('en'),
    load: async () => ({ prerender: (view) => view.session.kind }),
    report: () => {},
  })
  await setImmediate()
  expect(looks).toBe(0)
  kind = 'signedOut'
  settle()
  expect(await filling).toContain('<div id="app" inert>signedOut</div>')
})
