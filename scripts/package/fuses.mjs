/** @typedef {Record<string, boolean>} Fuses The fuses, by their names in electron-builder.yml. */

/** A fuse is a character in the program: `1` for on, `0` for off, another one if Electron has removed it (Fuses). */
const ON = '1'.charCodeAt(0)
const OFF = '0'.charCodeAt(0)

/** Keys of `electronFuses` that aren't fuses. */
const NO_FUSE = ['resetAdHocDarwinSignature']

/**
 * Reads the fuses of a packaged app.
 * @param {string} program On macOS, the `.app` folder.
 * @returns {Promise<Fuses>} The fuses that this version of Electron has.
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
 * The fuses that differ from the configuration.
 * @param {Fuses} wanted
 * @param {Fuses} found
 */
export const differences = (wanted, found) =>
  Object.entries(wanted)
    .filter(([name, value]) => !NO_FUSE.includes(name) && found[name] !== value)
    .map(([name, value]) => `${name} is ${stateOf(found[name])} and should be ${stateOf(value)}`)

/** @param {string} name */
const decapitalised = (name) => name.charAt(0).toLowerCase() + name.slice(1)

/** @param {boolean | undefined} value */
const stateOf = (value) => (value === undefined ? 'missing' : value ? 'on' : 'off')
