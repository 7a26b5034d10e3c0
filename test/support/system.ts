/** All of this process's variables on Windows and macOS, where programs need some of them; none on Linux. */
export const systemVariables = (): Record<string, string> => {
  if (process.platform === 'linux') return {}
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
