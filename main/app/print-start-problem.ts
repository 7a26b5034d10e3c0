import type { StartProblem } from '../../contract/start-problem.ts'
import { enStartProblem } from '../../text/en/start-problem.ts'
import { forTerminal } from '../base/display-text.ts'

/** Prints the problem in English, like everything in the terminal. */
export const printStartProblem = (problem: StartProblem): void =>
  console.error(forTerminal(`Latchkey doesn't start: ${enStartProblem(problem).replaceAll('’', "'")}`))
