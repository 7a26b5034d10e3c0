import { expect, it } from 'vitest'
import { refusedVariable } from './refused-variables.ts'

it.each(['NODE_DEBUG', 'NODE_DEBUG_NATIVE'])('SECURITY: a packaged app doesn’t start with %s', (name) => {
  expect(refusedVariable({ [name]: 'http' })).toBe(name)
})

it('an empty variable is ignored, as Node ignores it', () => {
  expect(refusedVariable({ NODE_DEBUG: '', NODE_ENV: 'production', DEBUG: '*' })).toBeUndefined()
})
