import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import { button, callsOf, openWindow, press, sessions, viewOf } from '../testing.tsx'

const update = { version: '0.2.0' }

test('the window says that an update is ready, and restarts only if the user asks', async () => {
  const { asked, show } = await openWindow(viewOf(sessions.active))
  expect(screen.queryByRole('button', { name: 'Restart Latchkey' })).toBeNull()
  await show(viewOf(sessions.active, { update }))
  expect(screen.getByText(/^Latchkey 0\.2\.0 is ready\./)).toBeTruthy()
  await press('Restart Latchkey')
  expect(callsOf(asked)).toEqual([['restartToUpdate', undefined]])
  expect(button('Restarting…').getAttribute('aria-disabled')).toBe('true')
})

test('the restart isn’t offered during a sign-in', async () => {
  const { asked } = await openWindow(viewOf(sessions.signingIn, { update }))
  expect(button('Restart Latchkey').getAttribute('aria-disabled')).toBe('true')
  await press('Restart Latchkey')
  expect(asked).toEqual([])
})
