import { onTestFinished } from 'vitest'

/** Waits for what a test or its `beforeEach` starts, and stops it after that test, the last one first. */
export async function running<T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> {
  const thing = await starting
  onTestFinished(async () => void (await thing.stop()))
  return thing
}
