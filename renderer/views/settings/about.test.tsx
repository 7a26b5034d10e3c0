import { act, screen } from '@testing-library/preact'
import { expect, test, vi } from 'vitest'
import { openSettings, press, sessions, viewOf } from '../../testing.tsx'

vi.mock('./licences.ts', () => ({
  licences: [
    { name: 'keen', version: '1.2.3', licence: 'MIT', repository: 'github.com/example/keen' },
    { name: 'mild', version: '4.5.6', licence: 'Apache-2.0' },
  ],
}))

test('the third-party packages are listed with their licences', async () => {
  await openSettings(viewOf(sessions.active))
  await press('Help and about')
  await act(async () => {
    const fold = screen.getByText('Open-source licences').closest('details')
    if (fold !== null) fold.open = true
    fold?.dispatchEvent(new Event('toggle'))
  })
  expect(await screen.findByText('Latchkey contains 2 third-party packages.')).toBeTruthy()
  for (const text of ['keen 1.2.3', 'MIT', 'github.com/example/keen', 'mild 4.5.6', 'Apache-2.0']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
})
