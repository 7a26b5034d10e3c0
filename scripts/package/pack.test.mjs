import { expect, it } from 'vitest'
import { withDrivenMain } from './pack.mjs'

it('the build for Playwright differs only in the main process', () => {
  expect(withDrivenMain([{ filter: ['out/main', 'out/preload', '!**/*.map'] }])).toEqual([
    { filter: ['out/preload', '!**/*.map'] },
    { from: 'out/playwright/out/main', to: 'out/main' },
  ])
  expect(() => withDrivenMain([{ filter: ['out/preload'] }])).toThrow('out/main')
})
