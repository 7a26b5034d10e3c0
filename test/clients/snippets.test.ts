/** Runs the window's snippets unchanged. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
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
})
afterEach(() => desktop.stop())

const RUNS: Record<CodeTool, () => readonly [program: string, file: string]> = {
  python: () => [requireProgram('python3'), 'snippet.py'],
  r: () => [requireProgram('Rscript', 'r-base-core'), 'snippet.R'],
  node: () => [process.execPath, 'snippet.mjs'],
  shell: () => [requireProgram('bash'), 'snippet.bash'],
  ai: () => [requireProgram('bash'), 'snippet.bash'],
  other: () => [requireProgram('bash'), 'snippet.bash'],
}

async function runSnippet(tool: CodeTool, connection?: string, env: Record<string, string> = {}) {
  const { folder } = desktop
  const address = new URL('/', desktop.dataUrl).href
  const [program, file] = RUNS[tool]()
  await writeFile(
    path.join(folder, file),
    snippetsFor({ address, connection, isPowerShell: false, replace: 'replace this path' })[tool].use,
  )
  await symlink(path.join(installed.node, 'node_modules'), path.join(folder, 'node_modules'))
  const bin = path.join(folder, 'bin')
  await mkdir(bin)
  const myProgram = path.join(bin, 'my-program')
  await writeFile(myProgram, '#!/bin/sh\nprintf %s "$ACCESS_TOKEN"\n')
  await chmod(myProgram, 0o755)
  return run([program, path.join(folder, file)], {
    env: {
      PATH: `${bin}:${CLI}:${PATH}`,
      HOME: folder,
      LATCHKEY_SOCKET: desktop.socket,
      PYTHONPATH: installed.python,
      R_LIBS: installed.r,
      ...env,
    },
    cwd: folder,
  })
}

test.each(['python', 'r', 'node', 'shell'] as const)('the %s snippet gets the data of the service', async (tool) => {
  // SECURITY: curl must use no proxy for a request without TLS. Other tests check that the libraries use none.
  const { code, stdout, stderr } = await runSnippet(
    tool,
    undefined,
    tool === 'shell' ? { http_proxy: 'http://127.0.0.1:9' } : {},
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replaceAll('\\', '')).toContain('"rows":42')
  expect([desktop.answers, desktop.lastToken]).toEqual([[200], TOKEN])
})

test.each(['python', 'r', 'node', 'shell'] as const)(
  'the %s snippet uses the token of the connection that it names',
  async (tool) => {
    desktop.session.signOut()
    desktop.staging.hold(TOKEN)
    desktop.oldTokensServe = true
    await runSnippet(tool, 'staging')
    expect(desktop.answers).toEqual([200])
  },
)

test('the snippet for other programs starts a program with the token in its environment', async () => {
  expect(await runSnippet('other')).toMatchObject({ code: 0, stdout: TOKEN, stderr: '' })
})

test('the snippet for other programs passes on the token of the connection that it names', async () => {
  expect(await runSnippet('other', 'staging')).toMatchObject({ code: 0, stdout: 'staging-token', stderr: '' })
})

test('the snippet for AI clients prints how to start the bridge to the connection that it names', async () => {
  const { stdout } = await runSnippet('ai', 'staging')
  expect(JSON.parse(stdout).mcpServers['latchkey-staging'].args).toEqual(['mcp', '--connection=staging'])
})

test('the window’s install commands are those in docs/users/tools.md, whose tests run them', () => {
  const snippets = snippetsFor({ address: 'https://data.example.com/', isPowerShell: false, replace: 'your path' })
  const shown = (['python', 'r', 'node'] as const).map((tool) => `${snippets[tool].install}\n`)
  expect([1, 2, 3].map((number) => codeBlock(`Install a library ${number}`).code)).toEqual(shown)
})
