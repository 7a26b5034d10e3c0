/** The test builds that `npm run package -- --test` leaves in `dist/test`. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/app.ts'

export interface PackagedApp {
  /** The folder with the unpacked app and the packages made from it. */
  readonly folder: string
  /** The program that users start. */
  readonly executable: string
  /** The program that has the fuses: see `scripts/package/fuses.mjs`. */
  readonly program: string
  /** The archive with the app's own files. */
  readonly archive: string
}

/** `shipped` has the published build's code and fuses, and Playwright can drive `driven`. */
export const shipped = () => packagedApp('shipped')
export const driven = () => packagedApp('driven')

/** The package with this extension, such as `.deb`, if this machine could build it. */
export function made(ending: string): string | undefined {
  const { folder } = shipped()
  const name = readdirSync(folder).find((file) => file.endsWith(ending))
  return name === undefined ? undefined : path.join(folder, name)
}

function packagedApp(kind: 'shipped' | 'driven'): PackagedApp {
  const folder = path.join(ROOT, 'dist', 'test', kind)
  const unpacked = existsSync(folder) ? readdirSync(folder).find((name) => UNPACKED.test(name)) : undefined
  if (unpacked === undefined) throw new Error('there are no test builds: node scripts/package.mjs --test makes them')
  const app = path.join(folder, unpacked)
  const at = (program: string, executable: string, resources: string): PackagedApp => ({
    folder,
    program: path.join(app, program),
    executable: path.join(app, executable),
    archive: path.join(app, resources, 'app.asar'),
  })
  switch (process.platform) {
    case 'darwin':
      return at('Latchkey.app', 'Latchkey.app/Contents/MacOS/Latchkey', 'Latchkey.app/Contents/Resources')
    case 'win32':
      return at('Latchkey.exe', 'Latchkey.exe', 'resources')
    default:
      return at('latchkey-desktop', 'latchkey-desktop', 'resources')
  }
}

/** How electron-builder names the folder of an unpacked app. */
const UNPACKED = /^(linux|win).*-unpacked$|^mac(-arm64)?$/
