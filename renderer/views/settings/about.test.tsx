import { act, cleanup, screen } from '@testing-library/preact'
import { afterEach, expect, test, vi } from 'vitest'
import { callsOf, ok, openSettings, press, sessions, viewOf } from '../../testing.tsx'

const loaded = vi.hoisted(() => ({ fails: false }))
vi.mock('./licences.ts', () => ({
  get licences() {
    if (loaded.fails) throw new Error('no such chunk')
    return [
      { name: 'keen', version: '1.2.3', licence: 'MIT', repository: 'github.com/example/keen' },
      { name: 'mild', version: '4.5.6', licence: 'Apache-2.0' },
    ]
  },
}))

afterEach(() => {
  cleanup()
  loaded.fails = false
})

const openAbout = async () => {
  const window = await openSettings(viewOf(sessions.active))
  await press('About Latchkey')
  return window
}
const unfold = () =>
  act(async () => {
    const fold = screen.getByText('Open-source licences').closest('details')
    if (fold !== null) fold.open = true
    fold?.dispatchEvent(new Event('toggle'))
  })

test('the view lists the third-party packages and their licences', async () => {
  await openAbout()
  await unfold()
  expect(await screen.findByText('Latchkey contains 2 third-party packages.')).toBeTruthy()
  for (const text of ['keen 1.2.3', 'MIT', 'github.com/example/keen', 'mild 4.5.6', 'Apache-2.0']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
})

test('the button “Save diagnostics” makes one call, and an error is shown if the call fails', async () => {
  const { asked } = await openAbout()
  await press('Save diagnostics')
  await press('Saving…')
  expect(callsOf(asked)).toEqual([['saveDiagnostics', undefined]])
  await asked[0]?.answer(ok)
  expect(screen.queryByRole('alert')).toBeNull()
  await press('Save diagnostics')
  await asked[1]?.crash()
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
})

test('the view names the folder with the saved diagnostics, and the button “Show in folder” opens it', async () => {
  const view = { ...viewOf(sessions.active), savedDiagnostics: 'Documents' }
  const { asked } = await openSettings(view)
  await press('About Latchkey')
  expect(screen.queryByText(/^Saved to/)).toBeNull()
  await press('Save diagnostics')
  await asked[0]?.answer(ok)
  expect(screen.getByText('Saved to Documents.').getAttribute('role')).toBe('status')
  await press('Show in folder')
  expect(callsOf(asked)).toEqual([
    ['saveDiagnostics', undefined],
    ['showDiagnostics', undefined],
  ])
  await asked[1]?.crash()
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
})
