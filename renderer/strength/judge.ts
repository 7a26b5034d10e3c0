/** Loaded only when a form asks for a new password: its word lists are ten times larger than the window's code. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import firstnames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import wikipedia from '@zxcvbn-ts/language-en/dist/wikipedia.json.mjs'
import sequences from '@zxcvbn-ts/language-en/dist/wordSequences.json.mjs'
import type { Strength } from '../../text/strength.ts'

export type Judge = (password: string) => Strength

/** Judging takes quadratic time, so only this many characters are judged. A longer password is strong anyway. */
const LONGEST_JUDGED = 100

const ANYTHING = /./

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

/** @param known names and addresses, which an attacker would try first. */
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

// SECURITY: makes the library and V8's regular expressions forget the last text that they read.
function forget(estimator: ZxcvbnFactory): void {
  estimator.check('a')
  ANYTHING.test('a')
}
