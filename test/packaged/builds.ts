/** The test builds that `npm run package -- --test` leaves in `dist/test`. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/app.ts'

/** `shipped` has the published build's code and fuses, and Playwright can drive `driven`. */
export const shipped = () => packagedApp('shipped')
export const driven = () => packagedApp('driven')

/** The package with this extension, such as `.deb`, if this machine could build it. */
export function made(ending: string): string | undefined {
  const { folder } = shipped()
  const name = readdirSync(folder).find((file) => file.endsWith(ending))
  return name === undefined ? undefined : path.join(folder, name)
}

function packagedApp(kind: 'shipped' | 'driven') {
  const folder = path.join(ROOT, 'dist', 'test', kind)
  const unpacked = existsSync(folder) ? readdirSync(folder).find((name) => UNPACKED.test(name)) : undefined
  if (unpacked === undefined) throw new Error('there are no test builds: node scripts/package.mjs --test makes them')
  const [program, executable, resources] = {
    darwin: ['Latchkey.app', 'Latchkey.app/Contents/MacOS/Latchkey', 'Latchkey.app/Contents/Resources'],
    win32: ['Latchkey.exe', 'Latchkey.exe', 'resources'],
    linux: ['latchkey-desktop', 'latchkey-desktop', 'resources'],
  }[process.platform as 'darwin' | 'win32' | 'linux'] as [string, string, string]
  const app = path.join(folder, unpacked)
  return {
    folder,
    /** The program that has the fuses: see `scripts/package/fuses.mjs`. */
    program: path.join(app, program),
    executable: path.join(app, executable),
    archive: path.join(app, resources, 'app.asar'),
  }
}

/** How electron-builder names the folder of an unpacked app. */
const UNPACKED = /^(linux|win).*-unpacked$|^mac(-arm64)?$/
