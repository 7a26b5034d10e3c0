import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { UpdatesFeature } from './updates.ts'

it('the view has the running version and the update that is ready, and a call restarts into the update', async () => {
  const done: string[] = []
  const updates = {
    view: undefined as { readonly version: string } | undefined,
    start: () => void done.push('start'),
    stop: () => void done.push('stop'),
    restart: async () => {
      done.push('restart')
      return OK
    },
  }
  const feature = new UpdatesFeature({ version: '1.2.3', updates })
  feature.start()
  expect(feature.view()).toEqual({ version: '1.2.3' })
  updates.view = { version: '1.3.0' }
  expect(feature.view()).toEqual({ version: '1.2.3', update: { version: '1.3.0' } })
  expect(await feature.handlers.restartToUpdate()).toEqual(OK)
  feature.stop()
  expect(done).toEqual(['start', 'restart', 'stop'])
})
