import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ORIGIN, rendererFile, startPage } from './app-protocol.ts'

const folder = path.join(path.sep, 'opt', 'latchkey', 'renderer')

describe('rendererFile', () => {
  it('finds a file of the renderer', () => {
    expect(rendererFile('app://latchkey/assets/index.js', folder)).toBe(path.join(folder, 'assets', 'index.js'))
  })

  it.each([
    'app://latchkey/%2e%2e%2fmain%2fmain.cjs',
    'app://latchkey/..%2f..%2f..%2fetc%2fpasswd',
    'app://latchkey/assets/..%2f..%2fmain.cjs',
    'app://latchkey/..%2frenderer-other/x.js',
    'app://latchkey/a%00.js',
    'app://latchkey/%zz',
    'app://other/index.html',
    'app:///index.html',
    'nonsense',
  ])('finds no file outside the renderer’s folder: %s', (address) => {
    expect(rendererFile(address, folder)).toBeUndefined()
  })

  it.each(['app://latchkey/../main/main.cjs', 'app://latchkey/%2e%2e/main/main.cjs', 'app://latchkey//etc/passwd'])(
    'finds only files inside the folder, even if the dots and slashes in the address lead out of it: %s',
    (address) => {
      expect(rendererFile(address, folder)?.startsWith(folder + path.sep)).toBe(true)
    },
  )
})

it('the page’s address names the locale of times if it differs from the page’s locale', () => {
  expect(new URL(startPage('en-US', 'linux', 'de-DE')).searchParams.get('times')).toBe('de-DE')
  expect(new URL(startPage('de-DE', 'linux', 'de-DE')).searchParams.get('times')).toBeNull()
})

it('the page’s address has our origin, the platform and the escaped locale', () => {
  const address = new URL(startPage('de-AT&x=1#y', 'win32'))
  expect([`${address.protocol}//${address.host}`, address.pathname]).toEqual([ORIGIN, '/index.html'])
  expect([...address.searchParams]).toEqual([
    ['locale', 'de-AT&x=1#y'],
    ['platform', 'win32'],
  ])
})
