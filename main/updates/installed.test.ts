import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hasPublisher, hasUninstaller, UNINSTALLER } from './installed.ts'

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'latchkey-installed-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

it('an app beside the uninstaller was installed by the .exe', () => {
  const place = folder()
  const program = path.join(place, 'Latchkey.exe')
  expect(hasUninstaller(program)).toBe(false)
  writeFileSync(path.join(place, UNINSTALLER), '')
  expect(hasUninstaller(program)).toBe(true)
})

it('an app without app-update.yml names no publisher', () => {
  const config = path.join(folder(), 'app-update.yml')
  expect(hasPublisher(config)).toBe(false)
  writeFileSync(config, 'publisherName: The Latchkey developers\n')
  expect(hasPublisher(config)).toBe(true)
})
