import type { Clock } from './ports.ts'

/**
 * What the work comes to, or `late` where that takes too long; the work itself goes on.
 * @param patience milliseconds.
 */
export function within<T, L>(
  clock: Pick<Clock, 'now' | 'at'>,
  patience: number,
  work: Promise<T>,
  late: L,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + patience, () => resolve(late))
    work.then(resolve, reject).finally(cancel)
  })
}
