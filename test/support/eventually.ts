import { expect } from 'vitest'

/** As `expect`, for what another process is about to do: asked again and again, up to 20 seconds. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000, interval: 50 })
