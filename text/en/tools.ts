/** English: how the user's own tools get access tokens. */
import type { Format } from '../format.ts'

/** Times are milliseconds since the epoch. */
export const enTools = (format: Format) => ({
  heading: 'Use in your tools',
  choice: 'Tool',
  other: 'Other',
  install: 'Install once, in a terminal',
  use: 'Use in your code',
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
