/** English: how the user's own tools get access tokens. */
import type { Format } from '../format.ts'

/** Times are milliseconds since the epoch. */
export const enTools = (format: Format) => ({
  heading: 'Use in your tools',
  yours: 'Your tools',
  another: 'Use in another tool',
  begin: 'Start with one line',
  /** What the tiles lead to. */
  tiles: { python: 'notebook or script', r: 'httr2', shell: 'curl and friends', file: 'through a file' },
  choice: 'Tool',
  other: 'Other',
  file: 'Excel, BI',
  install: 'Install once, in a terminal',
  installInNotebook: 'Or install in a notebook',
  use: 'Use in your code',
  /** The comment in the code, next to the path. */
  replace: 'replace the path with the one of your data',
  fileHint:
    'Excel, Power BI and Tableau can’t ask Latchkey for a token. Let this script write a file, then load the file there.',
  inTerminal: 'Run in a terminal',
  start: 'Start a program with a token',
  startHint:
    'Your program finds the access token in the environment variable ACCESS_TOKEN. This token isn’t renewed while the program runs.',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Couldn’t copy. Select the text and copy it.',
  /** Shown after the tool's name. */
  asked: (lastAt: number, now: number): string => `asked ${format.since(lastAt, now)}`,
})
