import type { Sentence } from '../sentence.ts'
import type { EnKeychain } from './keychain.ts'
import { enStartProblem } from './start-problem.ts'

export const enDesktop = (keychain: EnKeychain) => ({
  account: (name: string, host: string | undefined): string =>
    host === undefined ? name : name === '' ? host : `${name} · ${host}`,
  copyToken: 'Copy access token',
  startAtLogin: 'Start at login',
  settings: 'Settings…',
  /** The operating system's own words for the menu bar on macOS and for the menu of an input field. */
  menu: {
    about: 'About Latchkey',
    services: 'Services',
    hide: 'Hide Latchkey',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    view: 'View',
    actualSize: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    window: 'Window',
    close: 'Close Window',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring All to Front',
  },
  folderInUse: (host: string, folder: string): Sentence & { readonly startAnyway: string; readonly quit: string } => ({
    title: `Latchkey is already running on ${host}.`,
    body: `It uses the same data folder, ${folder}. Quit Latchkey there first. If it is no longer running there, choose “Start here”.`,
    startAnyway: 'Start here',
    quit: 'Quit',
  }),
  runsOnDisplay: (display: string): Sentence => ({
    title: 'Latchkey is already running on another display.',
    body: `It is running on ${display}. Use it there, or quit it there and start it again here.`,
  }),
  notStarted: 'Latchkey can’t start',
  startProblem: enStartProblem,
  diagnostics: {
    title: 'Save diagnostics',
    fileName: 'Latchkey diagnostics.txt',
    /** `cause`: the system's error code. */
    notSaved: (file: string, cause: string): Sentence => ({
      title: 'The file could not be saved.',
      body: `Latchkey couldn’t write ${file} (${cause}). Try another folder.`,
    }),
  },
  destination: {
    change: {
      message: 'Change where Latchkey sends your password?',
      from: (address: string): string => `From: ${address}`,
      to: (address: string): string => `To: ${address}`,
      confirm: 'Change',
    },
    add: {
      message: 'Add a connection?',
      existing: (address: string): string => `Existing connection: ${address}`,
      added: (address: string): string => `New connection: ${address}`,
      confirm: 'Add',
    },
    data: {
      message: 'Change where Latchkey sends your access token?',
      confirm: 'Change',
      advice:
        'Your tools send your access token to this address. Continue only if your administrator gave you this address.',
    },
    fields: { baseAddress: 'Service address', authUrl: 'Identity provider', dataAddress: 'Data address' },
    none: 'none',
    advice:
      'When you sign in, your username and password go to the new address. Continue only if your administrator gave you this address.',
    cancel: 'Cancel',
  },
  location: (file: string, { key, line, column }: { key?: string; line?: number; column?: number }): string => {
    if (line === undefined) return key === undefined ? file : `${key} (${file})`
    return key === undefined ? `${file} (line ${line}, column ${column})` : `${key} (${file}, line ${line})`
  },
  unknownSetting: (where: string): string => `${where} isn’t a Latchkey setting and was ignored.`,
  losesClientSecret: `${keychain.none}: the client secret is kept in memory and lost when you quit Latchkey.`,
  noSandbox:
    'Latchkey runs without Chromium’s sandbox, which protects this computer from malicious pages. Start Latchkey from your own account, not as root, and without --no-sandbox.',
  update: {
    ready: (version: string): string => `Latchkey ${version} is ready. Restarting takes a moment; you stay signed in.`,
    restart: 'Restart Latchkey',
    restarting: 'Restarting…',
  },
})
