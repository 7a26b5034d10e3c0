/** Not in the catalogue, because the terminal gets these texts before the catalogue is loaded. */
import { assertNever } from '../../contract/assert-never.ts'
import type { StartProblem } from '../../contract/start-problem.ts'

export function enStartProblem(problem: StartProblem): string {
  switch (problem.code) {
    case 'notPrivate':
      return `Its data folder must be private, but ${problem.path} belongs to another user, or others can write to it. Correct that, or ask your administrator.`
    case 'notCreatable':
      return `Its data folder ${problem.path} can’t be created (${problem.cause}). Check the folders above it.`
    case 'tilde':
      return `--user-data-dir=${problem.given} is not a path, because the shell didn’t replace the ~. Write the whole path.`
    case 'unusable':
      return `The data folder from ${problem.source} can’t be used (${problem.cause}). Correct the path.`
    case 'notWritable':
      return `It can’t write to its data folder ${problem.path} (${problem.cause}). Check the free space and who may write there.`
    case 'settingsUnreadable':
      return `It can’t use its settings file ${problem.path} (${problem.cause}). Make the file readable, then start Latchkey again.`
    case 'otherListener':
      return `Another program is using the lock in its data folder ${problem.path} and doesn’t respond. End that program, then start Latchkey again.`
    case 'notResponding':
      return `It is already running (process ${problem.pid}), but it doesn’t respond. Wait a moment, or end that process, and start Latchkey again.`
    default:
      return assertNever(problem)
  }
}
