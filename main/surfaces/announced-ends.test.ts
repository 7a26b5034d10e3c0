import { expect, it } from 'vitest'
import { remembered } from '../base/key-value-store.ts'
import { AnnouncedEnds } from './announced-ends.ts'

const MINUTE = 60_000
const END = 1_800_000_000_000

function onDesktop(content: Record<string, unknown> = {}) {
  const set = (key: string, value: unknown) => void Object.assign(content, { [key]: value })
  return new AnnouncedEnds(remembered({ get: (key) => content[key], set }, 'toldEnds'))
}

it('the user is warned of each session’s end only once, even after a restart', () => {
  const content = {}
  const told = onDesktop(content)
  told.shown('default', END)
  // As long as `isTold` returns false, the warning stays on screen.
  told.gone('staging')
  expect(told.isTold('default', END)).toBe(false)
  told.gone('default')
  for (const each of [told, onDesktop(content)]) {
    const ends = [END, END + 9 * MINUTE, END + 60 * MINUTE]
    expect(ends.map((end) => each.isTold('default', end))).toEqual([true, true, false])
    expect(each.isTold('staging', END)).toBe(false)
  }
})

it('if the stored warnings are damaged, the user is warned again', () => {
  expect(onDesktop({ toldEnds: { default: 'x' } }).isTold('default', END)).toBe(false)
  expect(onDesktop({ toldEnds: null }).isTold('constructor', END)).toBe(false)
})
