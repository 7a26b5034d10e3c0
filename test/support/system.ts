/**
 * On Windows and macOS, programs need some of this process's variables, so this returns all of them. On Linux, it
 * returns none.
 */
export const systemVariables = (): Record<string, string> => {
  if (process.platform === 'linux') return {}
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
