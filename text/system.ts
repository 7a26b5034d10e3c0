/** Some words differ between operating systems. */
export type System = 'linux' | 'macos' | 'windows'

/** For a value of `process.platform`. Any other platform counts as Linux. */
export function systemOf(platform: string): System {
  if (platform === 'darwin') return 'macos'
  return platform === 'win32' ? 'windows' : 'linux'
}
