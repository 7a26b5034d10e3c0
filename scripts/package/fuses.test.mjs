import { expect, it } from 'vitest'
import { differences } from './fuses.mjs'

const WANTED = { runAsNode: false, onlyLoadAppFromAsar: true, resetAdHocDarwinSignature: true }

it('fuses that match the configuration pass, whatever other fuses an Electron has', () => {
  expect(differences(WANTED, { runAsNode: false, onlyLoadAppFromAsar: true, later: true })).toEqual([])
})

it.each([
  ['stands otherwise', { runAsNode: true, onlyLoadAppFromAsar: true }, 'runAsNode is on and should be off'],
  ['is not there', { onlyLoadAppFromAsar: true }, 'runAsNode is not there and should be off'],
])('a fuse that %s is told', (_, found, line) => {
  expect(differences(WANTED, found)).toEqual([line])
})
