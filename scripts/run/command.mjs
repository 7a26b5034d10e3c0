/** A problem with this machine. The message says what to do; no stack is printed. */
export class SetUpError extends Error {}

/** This machine lacks something, such as root or the network, so a check is skipped. */
export class UnavailableError extends SetUpError {}

/** @param {string} line */
export const print = (line) => console.log(line)

/**
 * Prints a line if the work takes longer than a second.
 * @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function step(name, work) {
  const began = performance.now()
  const announcement = setTimeout(() => print(`${name} …`), 1000)
  try {
    return await work()
  } finally {
    clearTimeout(announcement)
    const seconds = (performance.now() - began) / 1000
    if (seconds > 1) print(`${name}: ${seconds.toFixed(1)} s`)
  }
}

/**
 * Exits with the command's number, even if a library later ends the process with 0, as electron-builder does.
 * @param {() => Promise<number>} command
 */
export async function main(command) {
  // By default, a signal ends the process without its `exit` handlers, which end its children.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(130))
  let code = 1
  try {
    code = await command()
  } catch (error) {
    console.error(error instanceof SetUpError ? error.message : error)
  }
  process.exitCode = code
  process.once('exit', (current) => {
    if (current === 0) process.exitCode = code
  })
}
