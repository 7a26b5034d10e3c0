import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import { button, callsOf, openWindow, press, sessions, viewOf } from '../testing.tsx'

test('the window says that an update is ready, and restarts only if the user asks, but not during a sign-in', async () => {
  const update = { version: '0.2.0' }
  const { asked, show } = await openWindow(viewOf(sessions.signingIn, { update }))
  await press('Restart Latchkey')
  expect(asked).toEqual([])
  await show(viewOf(sessions.active, { update }))
  expect(screen.getByText(/^Latchkey 0\.2\.0 is ready\./)).toBeTruthy()
  await press('Restart Latchkey')
  expect(callsOf(asked)).toEqual([['restartToUpdate', undefined]])
  expect(button('Restarting…').getAttribute('aria-disabled')).toBe('true')
})
