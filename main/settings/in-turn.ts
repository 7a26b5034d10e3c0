/** Runs one step after another, in the order in which they were asked for. */
export type InTurn = <T>(step: () => Promise<T>) => Promise<T>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const done = last.then(step)
    last = done.catch(() => {})
    return done
  }
}
