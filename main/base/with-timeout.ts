import type { Clock } from './clock.ts'

/** Resolves to `late` after the timeout. The work itself continues. */
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
