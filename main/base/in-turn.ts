/** Runs one step at a time, in the order of the calls. */
export type InTurn = <T>(step: () => Promise<T>) => Promise<T>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const done = last.then(step)
    last = done.catch(() => {})
    return done
  }
}
