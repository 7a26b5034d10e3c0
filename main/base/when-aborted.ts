/** Runs the action when the signal is aborted: immediately if it already is. */
export function whenAborted(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action()
  else signal.addEventListener('abort', action, { once: true })
}
