/**
 * Decides if keytar runs in a child process. On Linux it must, because Latchkey has to end that process in two cases.
 * When the Secret Service is restarted, all later calls in the process fail, because libsecret keeps its first
 * connection. And a call that waits for an unlock prompt can't be cancelled. On macOS keytar must not run in a child
 * process: a keychain item trusts the program that created it (Apple: Security, Access Control Lists), and Electron's
 * helper is a different program. On Windows there is no need.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'
