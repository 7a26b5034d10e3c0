/** The test builds that `node scripts/package.mjs --test` leaves in `dist/test`. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/app.ts'

export interface PackagedApp {
  /** Where the package's other files are, too. */
  readonly folder: string
  /** The program that a person starts. */
  readonly executable: string
  /** The file with the fuses: see `scripts/package/fuses.mjs`. */
  readonly program: string
  /** The archive with the app's own files. */
  readonly archive: string
}

/** The one that would ship, and the one that Playwright can drive. */
export const shipped = () => packagedApp('shipped')
export const driven = () => packagedApp('driven')

/** A file next to the app, by its extension; `undefined` where this machine can't make such a file. */
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
      return at('latchkey-desktop.exe', 'latchkey-desktop.exe', 'resources')
    default:
      return at('latchkey-desktop', 'latchkey-desktop', 'resources')
  }
}

/** How electron-builder calls the folder of an app that is in no package yet. */
const UNPACKED = /^(linux|win).*-unpacked$|^mac(-arm64)?$/
