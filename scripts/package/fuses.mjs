/** @typedef {Record<string, boolean>} Fuses The fuses, by their names in electron-builder.yml. */

/** Leaves out fuses that Electron has removed. @param {string} program On macOS, `.app`. @returns {Promise<Fuses>} */
export async function readFuses(program) {
  const { FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses')
  /** @type {Record<string, unknown>} */
  const wire = await getCurrentFuseWire(program)
  /** A fuse is a character in the program: `1` for on, `0` for off. @param {unknown} index */
  const stateOf = (index) => String.fromCharCode(Number(wire[Number(index)]))
  const found = Object.entries(FuseV1Options).filter(([, index]) => ['0', '1'].includes(stateOf(index)))
  return Object.fromEntries(
    found.map(([name, index]) => [name.charAt(0).toLowerCase() + name.slice(1), stateOf(index) === '1']),
  )
}

/** `resetAdHocDarwinSignature` is no fuse. @param {Fuses} wanted @param {Fuses} found */
export const differences = ({ resetAdHocDarwinSignature: _, ...wanted }, found) =>
  Object.entries(wanted)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${name} is ${found[name]} and should be ${value}`)
