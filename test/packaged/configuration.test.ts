/** Checks electron-builder.yml, including targets that this machine can't build. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import { expect, it } from 'vitest'
import { needsFor } from '../../scripts/setup/debian.mjs'
import { ROOT } from '../support/app.ts'

const config = await getConfig(ROOT, null, null)
const log = new DebugLogger(false)

it('electron-builder accepts the configuration', async () => {
  await expect(validateConfiguration(config, log)).resolves.toBeUndefined()
  await expect(validateConfiguration({ ...config, linx: {} } as never, log)).rejects.toThrow('linx')
})

it('the configuration names every target of every system', () => {
  const both = ['x64', 'arm64']
  expect(config.linux?.target).toEqual(['deb', 'rpm', 'AppImage'].map((target) => ({ target, arch: both })))
  expect(config.mac?.target).toEqual(['dmg', 'zip'].map((target) => ({ target, arch: both })))
  expect(config.win?.target).toEqual([
    { target: 'nsis', arch: both },
    { target: 'msi', arch: ['x64'] },
  ])
  expect(config).toMatchObject({ npmRebuild: false, executableName: 'latchkey-desktop' })
  expect(config.toolsets?.appimage).toMatch(/^1\./)
})

it('the macOS app is signed with the hardened runtime, and its only entitlement is for V8’s just-in-time compiler', () => {
  expect(config.mac).toMatchObject({ hardenedRuntime: true, executableName: 'Latchkey' })
  expect(config.mac?.notarize).not.toBe(false)
  const granted = readFileSync(path.join(ROOT, String(config.mac?.entitlements)), 'utf8').matchAll(/<key>(.*)<\/key>/g)
  expect([...granted].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit'])
  expect(config.mac?.entitlementsInherit).toBe(config.mac?.entitlements)
})

it('the Windows installer is for one user or all users, and keeps user data', () => {
  expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false, deleteAppDataOnUninstall: false })
  expect(config.nsis?.include).toBe('packaging/installer.nsh')
})

it('deb and rpm install the command, its manual page and its completions where the system looks for them', () => {
  const targets = (files: readonly string[] | null | undefined) => files?.map((file) => file.split('=')[1])
  const common = [
    '/usr/bin/latchkey',
    '/usr/share/man/man1/latchkey.1',
    '/usr/share/fish/vendor_completions.d/latchkey.fish',
  ]
  const bash = '/usr/share/bash-completion/completions/latchkey'
  expect(targets(config.deb?.fpm)).toEqual(
    expect.arrayContaining([...common, bash, '/usr/share/zsh/vendor-completions/_latchkey']),
  )
  expect(targets(config.rpm?.fpm)).toEqual(
    expect.arrayContaining([...common, bash, '/usr/share/zsh/site-functions/_latchkey']),
  )
  expect(config.deb?.depends).toContain('libsecret-1-0')
  expect(config.rpm?.depends).toContain('libsecret')
})

it('the deb depends on Electron’s libraries, under their new or old package names', () => {
  const needs = needsFor({ display: false, tests: false }).map((names) => names.join(' | '))
  expect(needs).toContain('libasound2t64 | libasound2')
  expect(config.deb?.depends).toEqual(expect.arrayContaining(needs))
})

it('the Linux icon has every usual size from 16 to 512 pixels, in files named after their sizes', () => {
  const folder = path.join(ROOT, String(config.linux?.icon))
  const sizes = readdirSync(folder).map((name) => {
    const png = readFileSync(path.join(folder, name))
    expect(name).toBe(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}.png`)
    return png.readUInt32BE(16)
  })
  expect(sizes.sort((one, two) => one - two)).toEqual([16, 24, 32, 48, 64, 128, 256, 512])
})
