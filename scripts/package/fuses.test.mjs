import { expect, it } from 'vitest'
import { differences } from './fuses.mjs'

const WANTED = { runAsNode: false, onlyLoadAppFromAsar: true, resetAdHocDarwinSignature: true }

it('fuses that are as they were asked for are well, whatever else an Electron has', () => {
  expect(differences(WANTED, { runAsNode: false, onlyLoadAppFromAsar: true, later: true })).toEqual([])
})

it.each([
  ['stands otherwise', { runAsNode: true, onlyLoadAppFromAsar: true }, 'runAsNode is on and should be off'],
  ['is not there', { onlyLoadAppFromAsar: true }, 'runAsNode is not there and should be off'],
])('a fuse that %s is told', (_, found, line) => {
  expect(differences(WANTED, found)).toEqual([line])
})
