import { readFileSync } from 'node:fs'
import path from 'node:path'
import { getConfig } from 'app-builder-lib/out/util/config/config.js'
import { expect, it } from 'vitest'
import { needsFor } from '../../scripts/setup/system.mjs'
import { ROOT } from '../support/app.ts'

const config = await getConfig(ROOT, null, null)

it('the macOS app has the hardened runtime, and only one entitlement, for V8’s compiler', () => {
  expect(config.mac).toMatchObject({ hardenedRuntime: true, executableName: 'Latchkey' })
  expect(config.mac?.notarize).not.toBe(false)
  const granted = readFileSync(path.join(ROOT, String(config.mac?.entitlements)), 'utf8').matchAll(/<key>(.*)<\/key>/g)
  expect([...granted].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit'])
  expect(config.mac?.entitlementsInherit).toBe(config.mac?.entitlements)
})

it('the deb depends on Electron’s libraries, by their new or old names', () => {
  const needs = needsFor({ display: false, tests: false })
  expect(needs).toContain('libasound2t64 | libasound2')
  expect(config.deb?.depends).toEqual(expect.arrayContaining(needs))
})
