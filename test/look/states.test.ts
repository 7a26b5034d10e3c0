import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, spokenIn } from './fixture.ts'
import { FIXTURES } from './fixtures/index.ts'
import { controls, focused } from './focus.ts'
import { layoutFaults } from './layout.ts'
import { forcedColourFaults, movements } from './preferences.ts'
import { LEAST, LOCALES, openStage, STANDARD, type StagedWindow } from './window.ts'

const THEMES = ['light', 'dark'] as const

let window: StagedWindow
let axe: string
/** The lists of controls that `walk` has already checked. Many states have the same list. */
const walked = new Set<string>()

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  window = await openStage()
})
afterAll(() => window?.stop())

// One test checks everything about a state, because loading the page takes long. German has the longest words.
test.each(FIXTURES)(
  '$name: accessible in either theme, nothing moves or is cut off, and Tab reaches every control',
  async (view) => {
    // The window is tall enough for the whole view, because axe checks only what is in the window.
    await window.resize({ width: STANDARD.width, height: 4_000 })
    await window.show(view, { locale: 'de-DE', reducedMotion: true })
    expect(await window.page.evaluate(movements)).toEqual([])
    await window.page.evaluate(axe)
    for (const theme of THEMES) {
      await window.emulate({ theme, reducedMotion: true })
      expect([theme, ...(await window.page.evaluate(violations, theme === 'light'))]).toEqual([theme])
    }

    for (const text of [1, 2]) {
      await window.resize({ ...LEAST, text })
      const mayBreakWords = view.hasLongWords === true || text === 2
      expect([text, ...(await window.page.evaluate(layoutFaults, { mayBreakWords }))]).toEqual([text])
    }

    await window.resize({ ...STANDARD, text: 2 })
    await window.emulate({})
    const expected = await window.page.evaluate(controls)
    if (!walked.has(expected.join())) {
      walked.add(expected.join())
      expect(await walk(expected)).toEqual([...expected, ...expected.slice(0, 1)])
    }
    // Forced colours keep edges, focus rings and states visible.
    for (const theme of THEMES) {
      await window.emulate({ forcedColors: true, theme })
      expect([theme, ...(await window.page.evaluate(forcedColourFaults))]).toEqual([theme])
      await window.page.keyboard.press('Tab')
      expect([theme, (await window.page.evaluate(focused)).fault]).toEqual([theme, undefined])
    }
  },
)

/** The states that fit into the window at its initial size, without a scrollbar. */
const USUAL: ReadonlySet<string> = new Set([
  'signed-in',
  'sign-in',
  'sign-in-choice',
  'expired',
  'ending',
  'ending-sso',
])

const translated = FIXTURES.filter(({ name, isFullyPictured }) => isFullyPictured || USUAL.has(name))

test.each(translated)('$name: nothing is cut off in any language, at any size of window or text', async (fixture) => {
  for (const locale of LOCALES) {
    await window.resize(STANDARD)
    await window.show(fixture, { locale })
    const height = await window.page.evaluate(() => document.documentElement.scrollHeight)
    if (USUAL.has(fixture.name)) expect([locale, height]).toEqual([locale, STANDARD.height])
    for (const text of [1, 2]) {
      await window.resize({ ...(locale === 'de-DE' ? STANDARD : LEAST), text })
      const mayBreakWords = fixture.hasLongWords === true || text === 2
      const faults = await window.page.evaluate(layoutFaults, { mayBreakWords })
      expect([locale, text, ...faults]).toEqual([locale, text])
    }
  }
})

const named = (name: string) => FIXTURES.find((fixture) => fixture.name === name) as Fixture

test('the arrow keys switch between sign-in methods', async () => {
  const { texts } = await window.show(named('sign-in-choice'))
  const method = (name: string) => window.page.getByRole('radio', { name, exact: true })
  await method(texts.signIn.methods.password).focus()
  await window.page.keyboard.press('ArrowRight')
  const isChosen = (each: Element) => each.ariaChecked === 'true' && each === document.activeElement
  expect(await method(texts.signIn.methods.passwordRealm).evaluate(isChosen)).toBe(true)
})

// New content never moves what a person may be reading, filling in or about to press.
test.each(['sign-in-choice', 'signed-in', 'unreachable', 'settings'])(
  'a new notice and an available update move nothing in %s',
  async (name) => {
    await window.resize(STANDARD)
    await window.show(named(name))
    const texts = await spokenIn('en-GB')
    const before = await window.page.evaluate(places)
    const notices = [texts.settingsProblem({ where: 'LATCHKEY_AUTH_URL', problem: 'unusable' })]
    await window.push({ ...named(name).view(texts), notices, update: { version: '0.2.0' } })
    await window.page.getByText(texts.desktop.update.restart).waitFor()
    // New content comes last in reading order, too.
    expect((await window.page.evaluate(places)).slice(0, before.length)).toEqual(before)
  },
)

/** The place of each element that a person may use or read. This function runs in the page. */
function places(): string[] {
  const found = [...document.querySelectorAll('h1, h2, input, main button:not(.update button), .card, .lead')]
  return found
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect()
      return [each.tagName, left, top, width, height].join(' ')
    })
}

/** What axe finds, with all rules or only those about colours. This function runs in the page. */
async function violations(withAllRules: boolean): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
  const found: AxeResults = await axe.run({
    resultTypes: ['violations'],
    ...(!withAllRules && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  })
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Tab reaches each control and then the first one again. Each control must be in sight, with a focus ring. */
async function walk(expected: readonly string[]): Promise<string[]> {
  const reached: string[] = []
  const faults: string[] = []
  const fromFirst = () => {
    const first = reached.indexOf(expected[0] ?? '')
    return first < 0 ? [] : reached.slice(first)
  }
  // The focus goes from the last control to the first, so one round is enough, or two if the page moves the focus.
  // Between two rounds, nothing in the page has the focus.
  await window.page.evaluate(focusLast)
  for (let step = 0; fromFirst().length <= expected.length && step < expected.length * 2 + 4; step += 1) {
    await window.page.keyboard.press('Tab')
    const { name, fault } = await window.page.evaluate(focused)
    if (name !== undefined) reached.push(name)
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
  }
  expect([...new Set(faults)]).toEqual([])
  return fromFirst()
}

function focusLast(): void {
  const found = [...document.querySelectorAll<HTMLElement>('button, input, summary, a, select, textarea')]
  found
    .findLast((each) => each.checkVisibility() && !each.matches(':disabled, [role=radio][aria-checked=false]'))
    ?.focus()
}
