import type { TestProject } from 'vitest/node'
import { buildIfNeeded, packForTestsIfNeeded } from '../../scripts/build.mjs'
import { resolveElectron } from '../../scripts/setup/electron.mjs'
import { ensureSystem } from '../../scripts/setup/system.mjs'
import { driven } from '../packaged/builds.ts'
import { prepareRun } from './ordinary-user.ts'

declare module 'vitest' {
  interface ProvidedContext {
    variables: Readonly<Record<string, string>>
  }
}

/** Installs and builds what tests need. With LATCHKEY_TEST_BUILD=packaged, `e2e` drives the packaged app. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process
  await ensureSystem({ display: true, tests: true })
  env['LATCHKEY_TEST_ELECTRON'] ??= (await resolveElectron({ allowFallback: true, sandboxed: true })).path
  await buildIfNeeded()
  const isPackaged =
    project.name === 'packaged' || (project.name === 'e2e' && env['LATCHKEY_TEST_BUILD'] === 'packaged')
  if (isPackaged) await packForTestsIfNeeded()
  const { variables, remove } = prepareRun(project.name, project.config.maxWorkers)
  project.provide('variables', { ...variables, ...(isPackaged && { LATCHKEY_TEST_PACKAGED: driven().executable }) })
  return remove
}
