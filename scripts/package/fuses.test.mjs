import { expect, it } from 'vitest'
import { differences } from './fuses.mjs'

const WANTED = { runAsNode: false, onlyLoadAppFromAsar: true, resetAdHocDarwinSignature: true }

it('matching fuses pass, even if this Electron has more fuses', () => {
  expect(differences(WANTED, { runAsNode: false, onlyLoadAppFromAsar: true, later: true })).toEqual([])
})

it.each([
  ['differs', { runAsNode: true, onlyLoadAppFromAsar: true }, 'runAsNode is on and should be off'],
  ['is missing', { onlyLoadAppFromAsar: true }, 'runAsNode is missing and should be off'],
])('a fuse that %s is reported', (_, found, line) => {
  expect(differences(WANTED, found)).toEqual([line])
})
