/**
 * On Windows and macOS, returns all environment variables of this process, because programs need some of them to run.
 * On Linux, returns none.
 */
export const systemVariables = (): Record<string, string> => {
  if (process.platform === 'linux') return {}
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
