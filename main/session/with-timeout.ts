import type { Clock } from './ports.ts'

/** What the work comes to, or `late` if that takes longer than the timeout; the work itself goes on. */
export function withTimeout<T, L>(
  clock: Pick<Clock, 'now' | 'at'>,
  timeoutMs: number,
  work: Promise<T>,
  late: L,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + timeoutMs, () => resolve(late))
    work.then(resolve, reject).finally(cancel)
  })
}
