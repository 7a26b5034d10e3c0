/** What a program of this system can't do without: elsewhere than on Linux it finds nothing without the variables. */
export const systemVariables = (): Record<string, string> => {
  if (process.platform === 'linux') return {}
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
