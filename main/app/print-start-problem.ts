import type { StartProblem } from '../../contract/start-problem.ts'
import { enStartProblem } from '../../text/en/start-problem.ts'
import { forTerminal } from '../base/display-text.ts'

/** Says in the terminal why the app doesn't start: in English, like everything that is printed there. */
export const printStartProblem = (problem: StartProblem): void =>
  console.error(forTerminal(`Latchkey doesn't start: ${enStartProblem(problem).replaceAll('’', "'")}`))
