/** A laptop that slept during a request. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { HOUR, SECOND, withRig } from '../faults/rig.ts'

it('a refresh whose deadline passed during sleep is repeated at once on waking', async () => {
  await withRig({ grace: 60, tokenLifetime: 86_400 }, async (rig) => {
    const copy = await rig.signedIn()
    rig.service.inject('refresh', { kind: 'hang' })
    void copy.session.refresh()
    await expect.poll(() => rig.sent('refresh')).toBe(1)
    rig.time.pass(SECOND)

    rig.time.sleep(HOUR)
    copy.clock.check()
    await turn()
    copy.session.wake()
    await rig.rest()
    expect(copy.failures.map(({ failure }) => failure.details?.cause)).toEqual(['request timeout'])
    expect(rig.sent('refresh')).toBe(2)
    expect(copy.state.kind).toBe('active')
  })
})
