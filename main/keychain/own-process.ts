/**
 * Whether keytar runs in a process of its own. On Linux it must: libsecret knows one Secret Service for as long as
 * its process lives, so after that was restarted every call fails; and a call that waits at an unlock prompt is
 * given up by nothing but the end of its process. On macOS it must not: a keychain item trusts the program that made
 * it (Apple: Security, Access Control Lists), and Electron's helper is another program than the app. On Windows
 * there is no reason to.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'
