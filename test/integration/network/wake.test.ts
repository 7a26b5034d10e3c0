/** A laptop that slept during a request. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { HOUR, SECOND, withWorld } from '../faults/world.ts'

it('a refresh whose deadline passed during sleep ends when the computer wakes, and is repeated at once', async () => {
  await withWorld({ grace: 60, tokenLifetime: 86_400 }, async (world) => {
    const copy = await world.signedIn()
    world.service.inject('refresh', { kind: 'hang' })
    void copy.session.refresh()
    await expect.poll(() => world.sent('refresh')).toBe(1)
    world.time.pass(SECOND)

    world.time.sleep(HOUR)
    copy.clock.check()
    await turn()
    copy.session.wake()
    await world.rest()
    expect(copy.failures.map(({ failure }) => failure.details?.cause)).toEqual(['request timeout'])
    expect(world.sent('refresh')).toBe(2)
    expect(copy.state.kind).toBe('active')
  })
})
