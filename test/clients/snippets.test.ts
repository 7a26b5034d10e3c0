/** Runs the window's snippets unchanged. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type CodeTool, snippetsFor } from '../../renderer/views/tools/snippets.ts'
import { CLI, PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { codeBlock } from './code-blocks.ts'
import { type Installed, installClients } from './installed.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installClients()
})

let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
  desktop.staging.hold('staging-token')
  const bin = path.join(desktop.folder, 'bin')
  await symlink(path.join(installed.node, 'node_modules'), path.join(desktop.folder, 'node_modules'))
  await mkdir(bin)
  await writeFile(path.join(bin, 'my-program'), '#!/bin/sh\nprintf %s "$ACCESS_TOKEN"\n', { mode: 0o755 })
})

const IN_SHELL = () => [requireProgram('bash'), 'snippet.bash'] as const
const RUNS: Record<CodeTool, () => readonly [program: string, file: string]> = {
  python: () => [requireProgram('python3'), 'snippet.py'],
  r: () => [requireProgram('Rscript', 'r-base-core'), 'snippet.R'],
  node: () => [process.execPath, 'snippet.mjs'],
  ...{ shell: IN_SHELL, ai: IN_SHELL, other: IN_SHELL },
}

async function runSnippet(tool: CodeTool, connection?: string, env: Record<string, string> = {}) {
  const { folder } = desktop
  const address = new URL('/', desktop.dataUrl).href
  const [program, file] = RUNS[tool]()
  const snippets = snippetsFor({ address, connection, isPowerShell: false, replace: 'replace this path' })
  await writeFile(path.join(folder, file), snippets[tool].use)
  const libraries = { PYTHONPATH: installed.python, R_LIBS: installed.r }
  return run([program, path.join(folder, file)], {
    env: { ...desktop.env, PATH: `${folder}/bin:${CLI}:${PATH}`, ...libraries, ...env },
    cwd: folder,
  })
}

test.each(['python', 'r', 'node', 'shell'] as const)(
  'the %s snippet gets the data of the service, with the token of the connection that it names',
  async (tool) => {
    // SECURITY: curl must use no proxy for a request without TLS. Other tests check that the libraries use none.
    const env = tool === 'shell' ? { http_proxy: 'http://127.0.0.1:9' } : {}
    const { code, stdout, stderr } = await runSnippet(tool, undefined, env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replaceAll('\\', '')).toContain('"rows":42')
    desktop.session.signOut()
    desktop.staging.hold(TOKEN)
    desktop.oldTokensServe = true
    await runSnippet(tool, 'staging')
    expect(desktop.answers).toEqual([200, 200])
  },
)

test('the snippets for other programs and AI clients use the connection that they name', async () => {
  expect(await runSnippet('other')).toMatchObject({ code: 0, stdout: TOKEN, stderr: '' })
  expect(await runSnippet('other', 'staging')).toMatchObject({ code: 0, stdout: 'staging-token', stderr: '' })
  const { stdout } = await runSnippet('ai', 'staging')
  expect(JSON.parse(stdout).mcpServers['latchkey-staging'].args).toEqual(['mcp', '--connection=staging'])
})

test('the window’s install commands are those in docs/users/tools.md, whose tests run them', () => {
  const snippets = snippetsFor({ address: 'https://data.example.com/', isPowerShell: false, replace: 'your path' })
  const shown = (['python', 'r', 'node'] as const).map((tool) => `${snippets[tool].install}\n`)
  expect([1, 2, 3].map((number) => codeBlock(`Install a library ${number}`).code)).toEqual(shown)
})
