import { onTestFinished } from 'vitest'

/** What a test or its `beforeEach` starts; it is stopped after that test, the last first. */
export async function running<T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> {
  const thing = await starting
  onTestFinished(async () => void (await thing.stop()))
  return thing
}
