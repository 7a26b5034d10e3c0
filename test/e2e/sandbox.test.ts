/** The rights of the running processes, as reported by the kernel. Also checks that tests notice a crashed renderer. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openDesk } from '../support/desk.ts'
import { eventually } from '../support/eventually.ts'
import { processTree, statusOf, typeOf } from '../support/processes.ts'

it('no process has its sandbox turned off or runs as root, and the renderer is confined', async () => {
  const app = await (await openDesk()).start()
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

it.each([
  ['throws', 'throw new Error("broken")'],
  ['loads another file, which the sandbox forbids,', 'require("./part.cjs")'],
])('a preload script that %s fails the test that runs with it', async (_, code) => {
  const desk = await openDesk({
    alter: (folder) => writeFileSync(path.join(folder, 'out/preload/preload.cjs'), code),
  })
  const app = await desk.start()
  await eventually(() => app.printed()).toContain('preload-error')
  await expect(app.quit()).rejects.toThrow('preload-error')
})

it('a renderer crash fails the test in which it happens', async () => {
  const app = await (await openDesk()).start()
  await app.open()
  await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer())
  await eventually(() => app.printed()).toContain('render-process-gone')
  await expect(app.quit()).rejects.toThrow('render-process-gone')
})
