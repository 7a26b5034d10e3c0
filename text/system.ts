export type System = 'linux' | 'macos' | 'windows'

/** The system of a `process.platform`. An unknown platform counts as Linux. */
export function systemOf(platform: string): System {
  if (platform === 'darwin') return 'macos'
  return platform === 'win32' ? 'windows' : 'linux'
}
