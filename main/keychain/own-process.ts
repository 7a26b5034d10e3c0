/**
 * Decides if keytar runs in a child process. On Linux it must: libsecret keeps its first connection, so every call
 * fails after the Secret Service is restarted, and a call that waits for an unlock prompt only ends with its process.
 * On macOS it must not: a keychain item trusts the program that created it (Apple: Security, Access Control Lists), and
 * Electron's helper is a different program. On Windows there is no need.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'
