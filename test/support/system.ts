/** The variables that programs need on Windows and macOS. */
export const systemVariables = (): Record<string, string> => {
  if (process.platform === 'linux') return {}
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
