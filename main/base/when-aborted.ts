/** Runs the action at once if the signal is already aborted. */
export function whenAborted(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action()
  else signal.addEventListener('abort', action, { once: true })
}

/** Settles like `work`, or rejects as soon as the signal is aborted. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // After an abort, nobody hears of the work's own error.
  work.catch(() => {})
  return untilAborted(signal, (resolve, reject) => {
    work.then(resolve, reject)
    return () => {}
  })
}

/** Rejects as soon as the signal is aborted. `work` returns a function that cancels it. */
export function untilAborted<T>(
  signal: AbortSignal,
  work: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let cancel = () => {}
    const abort = () => {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    const settled =
      <A>(settle: (value: A) => void) =>
      (value: A) => {
        signal.removeEventListener('abort', abort)
        settle(value)
      }
    cancel = work(settled(resolve), settled(reject))
  })
}
