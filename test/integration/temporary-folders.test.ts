import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { prepareRun } from '../support/ordinary-user.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a run of the tests that drive the app doesn’t delete the folder of a test that runs meanwhile', async () => {
  const folder = temporaryFolder()
  await prepareRun('run', 0).remove()
  expect(existsSync(folder)).toBe(true)
})
