/** The operating systems, which have different words for the same thing. */
export type System = 'linux' | 'macos' | 'windows'

/** The system of a platform as Node names it. */
export function systemOf(platform: string): System {
  if (platform === 'darwin') return 'macos'
  return platform === 'win32' ? 'windows' : 'linux'
}
