import { expect, it } from 'vitest'
import { strangers } from './content.mjs'

it.each([
  'main/app/app.ts',
  'out/main/run-app.cjs.map',
  'out/demo/demo.mjs',
  'out/crash/out/main/run-app.cjs',
  'out/main/session.test.cjs',
  'out/renderer/assets/index-abc.js.map',
  'node_modules/got/package.json',
  'node_modules/keytar/prebuilds/win32-x64/keytar.node',
  'node_modules/keytar/prebuilds/linux-arm64/keytar.node',
  '.env',
  'package-lock.json',
])('%s is not allowed in a package', (file) => {
  expect(strangers([file], 'linux', 'x64')).toEqual([file])
})

it('a package may contain the built files and the native modules for its platform', () => {
  const code = ['out/main/start.cjs', 'out/main/run-app.cjs']
  const own = ['package.json', ...code, 'out/main/chunks/signedIn-DnkfN91R.ico', 'out/renderer/index.html']
  const native = ['keytar/prebuilds/linux-x64/keytar.node', '@koromix/koffi-linux-x64/linux_x64/koffi.node']
  expect(strangers([...own, ...native.map((file) => `node_modules/${file}`)], 'linux', 'x64')).toEqual([])
})
