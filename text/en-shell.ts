/** English: what the tray says beside the state. */
export const enShell = {
  account: (name: string, host: string | undefined): string => (host === undefined ? name : `${name} · ${host}`),
  copyToken: 'Copy access token',
  startAtLogin: 'Start at login',
}
