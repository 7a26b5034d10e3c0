import path from 'node:path'
import { expect, it } from 'vitest'
import { rendererFile, startPage } from './app-protocol.ts'

const folder = path.join(path.sep, 'opt', 'latchkey', 'renderer')

it('a file of the renderer is found', () => {
  expect(rendererFile('app://latchkey/assets/index.js', folder)).toBe(path.join(folder, 'assets', 'index.js'))
})

it.each([
  'app://latchkey/..%2f..%2f..%2fetc%2fpasswd',
  'app://latchkey/..%2frenderer-other/x.js',
  'app://latchkey/a%00.js',
  'app://other/index.html',
  'nonsense',
])('SECURITY: no file outside the renderer’s folder is found: %s', (address) => {
  expect(rendererFile(address, folder)).toBeUndefined()
})

it.each(['app://latchkey/%2e%2e/main/main.cjs', 'app://latchkey//etc/passwd'])(
  'SECURITY: dots and slashes that an address resolves don’t lead out of the folder: %s',
  (address) => {
    expect(rendererFile(address, folder)?.startsWith(folder + path.sep)).toBe(true)
  },
)

it('the page’s address has the escaped locale, the platform, and the locale of times if that differs', () => {
  expect(startPage('de-AT&x=1#y', 'win32')).toBe('app://latchkey/index.html?locale=de-AT%26x%3D1%23y&platform=win32')
  expect(startPage('en-US', 'linux', 'de-DE')).toMatch(/&times=de-DE$/)
})
