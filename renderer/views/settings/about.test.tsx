import { act, cleanup, screen } from '@testing-library/preact'
import { afterEach, expect, test, vi } from 'vitest'
import { loadTexts } from '../../../text/index.ts'
import { openSettings, press, sessions, viewOf } from '../../testing.tsx'

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

const texts = await loadTexts('en-GB')

const openAbout = async () => {
  const window = await openSettings(viewOf(sessions.active))
  await press('Help and about')
  return window
}
const unfold = () =>
  act(async () => {
    const fold = screen.getByText('Open-source licences').closest('details')
    if (fold !== null) fold.open = true
    fold?.dispatchEvent(new Event('toggle'))
  })

test('help says what ends a session, and what doesn’t', async () => {
  await openAbout()
  const fold = screen.getByText('What ends your session').closest('details')
  expect([...(fold?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
    ...texts.sessionEnd.whatEnds.ends,
    ...texts.sessionEnd.whatEnds.keeps,
  ])
})

test('the third-party packages are listed with their licences', async () => {
  await openAbout()
  await unfold()
  expect(await screen.findByText('Latchkey contains 2 third-party packages.')).toBeTruthy()
  for (const text of ['keen 1.2.3', 'MIT', 'github.com/example/keen', 'mild 4.5.6', 'Apache-2.0']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
})
