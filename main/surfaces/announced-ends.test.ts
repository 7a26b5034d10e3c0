import { expect, it } from 'vitest'
import { remembered } from '../base/key-value-store.ts'
import { AnnouncedEnds } from './announced-ends.ts'

const MINUTE = 60_000
const END = 1_800_000_000_000

const onDesktop = (content: Record<string, unknown> = {}) => {
  const store = {
    get: (key: string) => content[key],
    set: (key: string, value: unknown) => void Object.assign(content, { [key]: value }),
  }
  return { content, start: () => new AnnouncedEnds(remembered(store, 'toldEnds')) }
}

it('the user is warned of each session’s end only once, even after a restart', () => {
  const desktop = onDesktop()
  const told = desktop.start()
  expect(told.isTold('default', END)).toBe(false)
  told.shown('default', END)
  // As long as `isTold` returns false, the warning stays on screen.
  expect(told.isTold('default', END)).toBe(false)
  told.gone('staging')
  expect(told.isTold('default', END)).toBe(false)
  told.gone('default')
  for (const each of [told, desktop.start()]) {
    expect([END, END + 9 * MINUTE, END + 60 * MINUTE].map((end) => each.isTold('default', end))).toEqual([
      true,
      true,
      false,
    ])
    expect(each.isTold('staging', END)).toBe(false)
  }
})

it.each([[{ toldEnds: 'x' }], [{ toldEnds: { default: 'x' } }], [{ toldEnds: null }]])(
  'if the stored warnings are damaged, the user is warned again: %j',
  (content) => {
    const { start } = onDesktop(content)
    expect(start().isTold('default', END)).toBe(false)
    expect(start().isTold('constructor', END)).toBe(false)
  },
)
