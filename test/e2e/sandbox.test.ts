import { expect, it } from 'vitest'
import { processTree, statusOf, typeOf } from '../support/processes.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

it('SECURITY: no process runs as root or without its sandbox, and the renderer is confined', async () => {
  const app = await (await openTestDesktop()).start()
  await app.open()
  const all = processTree(app.pid)
  expect(all.map(typeOf)).toEqual(expect.arrayContaining(['main', 'zygote', 'renderer']))
  for (const each of all) {
    expect(each.commandLine).not.toMatch(/--no-sandbox|--disable-web-security|--disable-setuid-sandbox/)
    expect(each.uid).not.toBe(0)
  }
  const [renderer] = all.filter((each) => typeOf(each) === 'renderer')
  if (renderer === undefined) throw new Error('there is no renderer')
  // The renderer has a system call filter (2), can't gain privileges, and has no capabilities.
  expect(statusOf(renderer, 'Seccomp')).toBe('2')
  expect(statusOf(renderer, 'NoNewPrivs')).toBe('1')
  expect(Number.parseInt(statusOf(renderer, 'CapEff') ?? '', 16)).toBe(0)
})
