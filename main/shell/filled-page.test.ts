import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filledPage } from './filled-page.ts'

const page = readFileSync(path.resolve('renderer/index.html'), 'utf8')

test('the view stands where the page’s script shows it, in its language, and answers nobody yet', () => {
  const filled = filledPage(page, { html: '<p>$& $1 Grüße</p>', language: 'de' })
  expect(filled).toContain('<div id="app" inert><p>$& $1 Grüße</p></div>')
  expect(filled).toContain('<html lang="de">')
  expect(filled.match(/Content-Security-Policy/g)).toHaveLength(1)
})

test('a page that has no place for it is told of', () => {
  expect(() => filledPage('<html lang="en"></html>', { html: '', language: 'en' })).toThrow('no place')
  expect(() => filledPage('<div id="app"></div>', { html: '', language: 'en' })).toThrow('no place')
})
