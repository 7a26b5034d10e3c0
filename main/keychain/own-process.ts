/**
 * True if keytar runs in a child process. On Linux that process has to be ended in two cases: after a restart of the
 * Secret Service every further call fails, because libsecret keeps its first connection, and a call that waits for an
 * unlock prompt can't be cancelled. On macOS there must be none: a keychain item trusts the program that created it
 * (Apple: Security, Access Control Lists), and Electron's helper is another program. On Windows there is no need.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'
