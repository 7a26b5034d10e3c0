import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** @typedef {Record<string, boolean>} Fuses By their names in electron-builder.yml. */

/**
 * Each fuse is a character in the program: `1` if the fuse is on, `0` if it is off, another character if Electron has
 * removed it (Electron: Fuses, "fuse wire").
 */
const ON = '1'.charCodeAt(0)
const OFF = '0'.charCodeAt(0)

/** Keys of `electronFuses` that are not fuses. */
const NO_FUSE = ['resetAdHocDarwinSignature']

/**
 * Reads the fuses of a packaged app's program, by name.
 * @param {string} program See `programIn`.
 * @returns {Promise<Fuses>} Only the fuses that this version of Electron has.
 */
export async function readFuses(program) {
  const { FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses')
  /** @type {Record<string, unknown>} */
  const wire = await getCurrentFuseWire(program)
  const states = Object.entries(FuseV1Options).map(([name, index]) => [decapitalised(name), wire[index]])
  return Object.fromEntries(
    states.filter(([, state]) => state === ON || state === OFF).map(([name, state]) => [name, state === ON]),
  )
}

/**
 * Describes each fuse that differs from the configuration.
 * @param {Fuses} wanted
 * @param {Fuses} found
 */
export const differences = (wanted, found) =>
  Object.entries(wanted)
    .filter(([name, value]) => !NO_FUSE.includes(name) && found[name] !== value)
    .map(([name, value]) => `${name} is ${stateOf(found[name])} and should be ${stateOf(value)}`)

/**
 * The program that contains the fuses, in the folder of an unpacked app. On macOS, returns the `.app` folder instead.
 * @param {string} folder
 * @param {string} platform As Electron names it.
 * @param {string} name The program's name, without an extension.
 */
export function programIn(folder, platform, name) {
  if (platform === 'win32') return path.join(folder, `${name}.exe`)
  if (platform !== 'darwin') return path.join(folder, name)
  const app = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.app')) : undefined
  if (app === undefined) throw new Error(`there is no app in ${folder}`)
  return path.join(folder, app)
}

/** @param {string} name */
const decapitalised = (name) => name.charAt(0).toLowerCase() + name.slice(1)

/** @param {boolean | undefined} value */
const stateOf = (value) => (value === undefined ? 'missing' : value ? 'on' : 'off')
