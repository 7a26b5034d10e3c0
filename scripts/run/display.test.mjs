import { expect, it } from 'vitest'
import { hasDisplay } from './display.mjs'

it.each([
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['linux', { DISPLAY: '' }, false],
  ['linux', {}, false],
  ['darwin', {}, true],
  ['win32', {}, true],
])('on %s with the environment %j, hasDisplay returns %s', (platform, env, answer) => {
  expect(hasDisplay(env, platform)).toBe(answer)
})
