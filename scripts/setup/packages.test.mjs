import { describe, expect, it } from 'vitest'
import { fitsLock } from './packages.mjs'

const vite = { version: '8.3.8', integrity: 'sha512-vite' }
const linux = { version: '2.5.15', integrity: 'sha512-linux', optional: true, os: ['linux'], cpu: ['x64'] }
const darwin = { version: '2.5.15', integrity: 'sha512-darwin', optional: true, os: ['darwin'], cpu: ['arm64'] }
const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/vite': vite,
    'node_modules/linux': linux,
    'node_modules/darwin': darwin,
  },
}
const onLinux = { platform: 'linux', arch: 'x64', present: () => true }

describe('node_modules', () => {
  it('node_modules matches the lock file if only other platforms’ binaries are missing', () => {
    const installed = { packages: { 'node_modules/vite': vite, 'node_modules/linux': linux } }
    expect(fitsLock(lock, installed, onLinux)).toBe(true)
  })

  it.each([
    ['a package is missing', { 'node_modules/linux': linux }],
    ['a package has another version', { 'node_modules/vite': { ...vite, version: '8.3.7' } }],
    ['a package has other contents', { 'node_modules/vite': { ...vite, integrity: 'sha512-other' } }],
    ['a package is not in the lock file', { 'node_modules/vite': vite, 'node_modules/more': vite }],
    ['a package is for another platform', { 'node_modules/vite': vite, 'node_modules/darwin': darwin }],
    ['npm recorded no packages', {}],
  ])('node_modules doesn’t match the lock file if %s', (_, packages) => {
    expect(fitsLock(lock, { packages }, onLinux)).toBe(false)
  })

  it('node_modules doesn’t match the lock file if a package’s folder is missing', () => {
    const installed = { packages: { 'node_modules/vite': vite } }
    expect(fitsLock(lock, installed, { ...onLinux, present: (folder) => folder !== 'node_modules/vite' })).toBe(false)
  })

  it('a package in node_modules may exclude other platforms, but not this one', () => {
    const packages = { 'node_modules/unix': { ...vite, os: ['!win32'] } }
    expect(fitsLock({ packages }, { packages }, onLinux)).toBe(true)
    expect(fitsLock({ packages }, { packages }, { ...onLinux, platform: 'win32' })).toBe(false)
  })
})
