/** Loaded only when a form asks for a new password: its word lists are ten times larger than the window's code. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import firstnames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import wikipedia from '@zxcvbn-ts/language-en/dist/wikipedia.json.mjs'
import sequences from '@zxcvbn-ts/language-en/dist/wordSequences.json.mjs'
import type { Strength } from '../../text/strength.ts'

export type Judge = (password: string) => Strength

/**
 * Only the beginning of a password is judged, because the run time is quadratic and a long password is strong anyway.
 */
const LONGEST_JUDGED = 100

const ANYTHING = /./

/** The hint for each warning of the library. */
const HINTS: Readonly<Record<string, Strength['hint']>> = {
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'name',
  straightRow: 'pattern',
  keyPattern: 'pattern',
  simpleRepeat: 'pattern',
  extendedRepeat: 'pattern',
  sequences: 'pattern',
  dates: 'date',
  recentYears: 'date',
}

/** @param known words that an attacker would guess first: names and addresses. */
export function createJudge(known: readonly string[]): Judge {
  const estimator = new ZxcvbnFactory({
    dictionary: { ...dictionary, ...sequences, 'firstnames-en': firstnames, 'wikipedia-en': wikipedia },
    graphs: adjacencyGraphs,
    maxLength: LONGEST_JUDGED,
  })
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2)
  return (password) => {
    const { score, feedback } = estimator.check(password, words)
    forget(estimator)
    return { level: score, hint: HINTS[feedback.warning ?? ''] ?? 'short' }
  }
}

// SECURITY: overwrites the last text, which the library keeps, and V8 for the last regular expression that matched.
function forget(estimator: ZxcvbnFactory): void {
  estimator.check('a')
  ANYTHING.test('a')
}
