import { expect } from 'vitest'

/** `expect`, retried for up to 20 seconds: for effects in another process. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000, interval: 50 })
