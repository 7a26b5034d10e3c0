/** The operating systems. Some texts use different words on each of them. */
export type System = 'linux' | 'macos' | 'windows'

/** The system for a value of `process.platform`. Any other platform counts as Linux. */
export function systemOf(platform: string): System {
  if (platform === 'darwin') return 'macos'
  return platform === 'win32' ? 'windows' : 'linux'
}
