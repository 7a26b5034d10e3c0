/** @typedef {Record<string, boolean>} Fuses The fuses, by their names in electron-builder.yml. */

/** A fuse is a character in the program: `1` for on, `0` for off, another one if Electron has removed the fuse. */
const STATES = new Map([
  ['1'.charCodeAt(0), true],
  ['0'.charCodeAt(0), false],
])

/**
 * Reads the fuses of a packaged app.
 * @param {string} program On macOS, the `.app` folder. @returns {Promise<Fuses>}
 */
export async function readFuses(program) {
  const { FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses')
  /** @type {Record<string, unknown>} */
  const wire = await getCurrentFuseWire(program)
  return Object.fromEntries(
    Object.entries(FuseV1Options).flatMap(([name, index]) => {
      const isOn = STATES.get(Number(wire[index]))
      return isOn === undefined ? [] : [[name.charAt(0).toLowerCase() + name.slice(1), isOn]]
    }),
  )
}

/**
 * The fuses that differ from the configuration, which may have another key, `resetAdHocDarwinSignature`.
 * @param {Fuses} wanted
 * @param {Fuses} found
 */
export const differences = ({ resetAdHocDarwinSignature: _, ...wanted }, found) =>
  Object.entries(wanted)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${name} is ${found[name]} and should be ${value}`)
