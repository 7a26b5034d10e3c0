import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProject } from '../../scripts/run/project.mjs'
import { compile, openWine, toWindows, type Wine, windowsTools } from '../../scripts/windows/wine.mjs'

/** A value of Persist: https://learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
const CRED_PERSIST_ENTERPRISE = 3

let wine: Wine
beforeAll(async () => {
  wine = await openWine()
  await compile(fileURLToPath(new URL('persistence.c', import.meta.url)), path.join(wine.drive, 'persistence.exe'))
})
afterAll(() => wine?.stop())

// An entry may roam to another computer, so its name contains this computer's name.
test('keytar’s entries are stored with the user’s profile, which may roam to other computers', async () => {
  const { node } = await windowsTools()
  const keytar = toWindows(inProject('node_modules', 'keytar'))
  const script = `require(${JSON.stringify(keytar)}).setPassword('Latchkey', 'an entry', 'value')`
  expect(await wine.run([node, '-e', script])).toMatchObject({ code: 0 })
  const { output } = await wine.run(['C:\\persistence.exe', 'Latchkey/an entry'])
  expect(Number(output)).toBe(CRED_PERSIST_ENTERPRISE)
})
