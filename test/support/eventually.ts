import { expect } from 'vitest'

/** `expect`, retried for up to 20 seconds, because effects in another process take time. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000, interval: 50 })
