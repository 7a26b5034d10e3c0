import { describe, expect, it } from 'vitest'
import { commandFor, lackingOf, nameOf, needsFor } from './debian.mjs'

const gtk = ['libgtk-3-0t64', 'libgtk-3-0']
const nss = ['libnss3']

describe('a system package', () => {
  it('is not missing if a package with one of its names is installed', () => {
    expect(lackingOf([gtk, nss], 'libgtk-3-0 installed\nlibnss3 installed\n')).toEqual([])
    expect(lackingOf([gtk, nss], 'libgtk-3-0t64 installed\nlibnss3 installed\n')).toEqual([])
  })

  it('is missing if it was removed or is unknown', () => {
    const query = 'libnss3 config-files\ndpkg-query: no packages found matching libgtk-3-0t64\n'
    expect(lackingOf([gtk, nss], query)).toEqual([gtk, nss])
  })

  it('is installed by the name that this release uses', () => {
    const bookworm = 'libgtk-3-0:\n  Installed: (none)\n  Candidate: 3.24.38-2\n  Version table:\n     3.24.38-2 500\n'
    const noble = `libgtk-3-0t64:
  Installed: (none)
  Candidate: 3.24.41-4ubuntu1
  Version table:
     3.24.41-4ubuntu1 500
libgtk-3-0:
  Installed: (none)
  Candidate: (none)
  Version table:
`
    expect(nameOf(gtk, bookworm)).toBe('libgtk-3-0')
    expect(nameOf(gtk, noble)).toBe('libgtk-3-0t64')
  })

  it('is installed by its oldest name if the package lists are empty', () => {
    expect(nameOf(gtk, '')).toBe('libgtk-3-0')
  })
})

it('the message about missing packages contains one command that the user can copy', () => {
  expect(commandFor(['xvfb', 'libnss3']).split('\n')).toContain(
    '  sudo apt-get update && sudo apt-get install -y --no-install-recommends xvfb libnss3',
  )
})

it('setup requires Xvfb only for a virtual display, and the programs that tests use only for tests', () => {
  const names = (/** @type {{ display: boolean, tests: boolean }} */ purpose) => needsFor(purpose).flat()
  expect(names({ display: false, tests: false })).not.toContain('xvfb')
  expect(names({ display: true, tests: false })).toContain('xvfb')
  expect(names({ display: true, tests: false })).not.toContain('gnome-keyring')
  expect(names({ display: false, tests: true })).toContain('gnome-keyring')
})
