/** A problem with this machine. The message says what to do, and is printed without a stack. */
export class SetUpError extends Error {}

/** A check needs something that this machine can't provide, such as root or the network. That check is then skipped. */
export class UnavailableError extends SetUpError {}

/** @param {string} line */
export const say = (line) => console.log(line)

/**
 * A duration in words: `3 min 50 s`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/**
 * Does some work, and prints a line if the work takes longer than a second.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [hint] Printed after the name, such as how long the work usually takes.
 * @returns {Promise<T>}
 */
export async function step(name, work, hint = '') {
  const began = performance.now()
  const announcement = setTimeout(() => say(`${name} … ${hint}`.trimEnd()), 1000)
  try {
    return await work()
  } finally {
    clearTimeout(announcement)
    const seconds = (performance.now() - began) / 1000
    if (seconds > 1) say(`${name}: ${seconds.toFixed(1)} s`)
  }
}

/**
 * Runs a command. The number that the command resolves to becomes the exit code.
 * @param {() => Promise<number | undefined>} command
 */
export async function main(command) {
  try {
    endWith((await command()) ?? 0)
  } catch (error) {
    console.error(error instanceof SetUpError ? error.message : error)
    endWith(1)
  }
}

/**
 * Sets the exit code, even if a library later ends the process with code 0, as electron-builder does on `beforeExit`.
 * @param {number} code
 */
function endWith(code) {
  process.exitCode = code
  process.once('exit', (current) => {
    if (current === 0) process.exitCode = code
  })
}
