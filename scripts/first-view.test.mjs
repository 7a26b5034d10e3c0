import { expect, it } from 'vitest'
import { firstView, firstViewSize, LIMIT } from './first-view.mjs'

/** Text that gzip can't shorten much. @param {number} length */
function noise(length) {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(33 + (state % 90))
  }
  return Array.from({ length }, next).join('')
}

/** @param {string} fileName @param {Partial<import('./first-view.mjs').Output>} rest */
const chunk = (fileName, rest = {}) => ({ type: 'chunk', fileName, code: fileName, imports: [], ...rest })
const entry = chunk('index.js', { isEntry: true, imports: ['shared.js'] })
const shared = chunk('shared.js', { imports: ['index.js'] })
const show = chunk('show.js', { facadeModuleId: '/app/renderer/show.tsx', imports: ['shared.js'] })
const catalogue = (/** @type {string} */ language, code = language) =>
  chunk(`${language}.js`, { facadeModuleId: `/app/text/${language}.ts`, code })
const size = firstView([entry, shared, show, catalogue('en')])

it('is what the entry imports at once, each file once', () => {
  const bare = { ...show, imports: [] }
  expect(firstView([{ ...entry, imports: [] }, shared, bare, catalogue('en')])).toBeLessThan(size)
  expect(firstView([{ ...entry, imports: ['shared.js', 'shared.js'] }, shared, show, catalogue('en')])).toBe(size)
})

it('is with what shows the view, though that is loaded after the first paint', () => {
  const large = { ...show, code: noise(1_000) }
  expect(firstView([entry, shared, large, catalogue('en')])).toBeGreaterThan(size + 500)
})

it('is without what is loaded later', () => {
  const later = chunk('judge.js', { code: noise(5_000), facadeModuleId: '/app/renderer/strength/judge.ts' })
  expect(firstView([entry, shared, show, catalogue('en'), later])).toBe(size)
})

it('is with one language, the largest', () => {
  const german = catalogue('de', noise(1_000))
  const alone = firstView([entry, shared, show, german])
  expect(alone).toBeGreaterThan(size + 500)
  expect(firstView([entry, shared, show, catalogue('en'), german])).toBe(alone)
  const inFolder = { ...german, facadeModuleId: '/app/text/de/index.ts' }
  expect(firstView([entry, shared, show, catalogue('en'), inFolder])).toBe(alone)
})

it('can’t be told of a build that lacks a part of it, which is another one than this counts', () => {
  for (const lacking of [
    [entry, shared, show],
    [entry, shared, catalogue('en')],
    [show, shared, catalogue('en')],
  ]) {
    expect(() => firstView(lacking)).toThrow('no entry, nothing that shows the view or no catalogue')
  }
})

it('over the limit fails the build', () => {
  const { writeBundle } = firstViewSize()
  /** @param {number} length */
  const write = (length) => {
    const bundle = Object.fromEntries(
      [entry, shared, show, catalogue('en', noise(length))].map((each) => [each.fileName, each]),
    )
    const context = {
      /** @param {string} message */
      error: (message) => {
        throw new Error(message)
      },
    }
    Reflect.apply(/** @type {Function} */ (writeBundle), context, [{}, bundle])
  }
  expect(() => write(100)).not.toThrow()
  expect(() => write(2 * LIMIT)).toThrow(/of at most 30 kB/)
})
