/** Runs the code in docs/users, and the window's snippets, unchanged. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type CodeTool, snippetsFor } from '../../renderer/views/tools/snippets.ts'
import { CLI, LATCHKEY, PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { type CodeBlock, codeBlock, codeBlocks, LANGUAGES, notRun, whole } from './code-blocks.ts'
import { Database } from './database.ts'
import { type Installed, installClients, npmCli } from './installed.ts'
import { Driver, ROOT } from './languages.ts'

const WITH_CURL = ['curl 1', 'curl 2', 'curl 3', 'curl 4']
const WAITS = ['Wait for the next sign-in 1', 'Wait for the next sign-in 2']
const GETS_DATA = [...WITH_CURL, 'requests 1', 'httpx 1', 'httpx 2', 'pandas 1', 'httr2 1', 'fetch 1']
const JOB = 'Follower 1'
const FIXED = 'Programs that only take a fixed token'
const OTHERS = [
  ...['Install a library 1', 'Install a library 2', 'Install a library 3', 'token 1', 'Jupyter 1', 'Jupyter 2'],
  ...['SQLAlchemy 1', 'keyring 1', JOB, 'rclone 1', 'AI clients 1', 'Tools that expect an OAuth response 1'],
  ...['kubectl 1', `${FIXED} 1`, `${FIXED} 2`, `${FIXED} 3`],
]

it('tests run every code block on the pages, except those that are marked as not run', () => {
  expect(codeBlocks.map(({ name }) => name).sort()).toEqual([...GETS_DATA, ...WAITS, ...OTHERS].sort())
  expect(notRun).toEqual(['In a shell', 'DuckDB', 'Containers', 'Containers', 'Remote machines', 'WSL'])
})

let installed: Installed
beforeAll(async () => {
  installed = await installClients()
})

let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
  desktop.staging.hold('staging-token')
  // Node looks for packages in this folder.
  await symlink(path.join(installed.node, 'node_modules'), path.join(desktop.folder, 'node_modules'))
})

/**
 * The environment names a proxy for requests to other machines, as in a company. Nothing listens at the proxy's
 * address, so a request that goes there by mistake fails.
 */
const environment = () => ({
  ...desktop.env,
  PATH: `${CLI}:${PATH}`,
  WEBDAV_URL: new URL('/', desktop.dataUrl).href,
  PYTHONPATH: installed.python,
  R_LIBS: installed.r,
  HTTP_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
})

/** With these variables, even requests to this machine go through the proxy, unless the code prevents that. */
const PROXIED = { NO_PROXY: '', no_proxy: '' }

async function save({ name, language, code }: CodeBlock, fileName?: string): Promise<readonly string[]> {
  const { folder } = desktop
  const { program, extension } = LANGUAGES[language] ?? { program: () => '', extension: '' }
  const file = path.join(folder, fileName ?? `${name.replaceAll(' ', '-')}.${extension}`)
  await writeFile(file, code)
  return [program(), file]
}

const start = async (one: CodeBlock, more: Record<string, string> = {}) =>
  run(await save(whole(one)), { env: { ...environment(), ...more }, cwd: desktop.folder })

it.each(GETS_DATA)('%s gets the data with the current token', async (name) => {
  const { code, stdout, stderr } = await start(codeBlock(name), name === 'curl 3' ? PROXIED : {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/["']?rows["']?: ?42/)
  expect(desktop.answers).toEqual([200])
  expect(desktop.tools).toHaveLength(1)
})

it.each(WITH_CURL)('%s fails with a message while nobody is signed in', async (name) => {
  desktop.session.signOut()
  const { code, stdout, stderr } = await start(codeBlock(name))
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('You are not signed in. Open Latchkey and sign in.')
})

it.each(WAITS)('%s waits for a sign-in, and then gets the data', async (name) => {
  desktop.session.signOut()
  const run = start(codeBlock(name))
  await expect.poll(() => desktop.waiting).toHaveLength(1)
  desktop.session.hold(TOKEN)
  const { code, stdout } = await run
  expect(code).toBe(0)
  expect(stdout).toMatch(/["']?rows["']?: ?42/)
})

it('the fourth recipe for curl gets another token if the service rejects the first one', async () => {
  desktop.refused = TOKEN
  const { code, stdout, stderr } = await start(codeBlock('curl 4'))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/["']?rows["']?: ?42/)
  expect(desktop.answers).toEqual([401, 200])
  expect(desktop.session.refreshes).toBe(1)
})

describe('a library is installed without a network', () => {
  it.each([
    ['Install a library 1', 'ls -d .venv/lib/python3*/site-packages/latchkey_desktop'],
    ['Install a library 2', `Rscript -e 'cat(find.package("latchkeydesktop"))'`],
    ['Install a library 3', `node --input-type=module -e 'import.meta.resolve("latchkey-desktop")'`],
  ])('%s', async (name, find) => {
    // The command is next to the libraries, as in an installation.
    const { folder } = desktop
    const resources = path.join(folder, 'resources')
    const bin = path.join(resources, 'bin')
    await mkdir(bin, { recursive: true })
    await copyFile(LATCHKEY, path.join(bin, 'latchkey'))
    await symlink(installed.archives, path.join(resources, 'clients'))
    await symlink(process.execPath, path.join(bin, 'node'))
    await writeFile(path.join(bin, 'npm'), `#!/bin/sh\nexec node "${npmCli()}" "$@"\n`, { mode: 0o755 })
    await mkdir(path.join(folder, 'r-library'))
    await writeFile(path.join(folder, 'package.json'), '{}')
    const env = {
      ...environment(),
      PATH: `${bin}:${PATH}`,
      PIP_NO_INDEX: '1',
      PYTHONPATH: '',
      R_LIBS: path.join(folder, 'r-library'),
      npm_config_audit: 'false',
    }
    const { code, stderr } = await run(await save(codeBlock(name)), { env, cwd: folder })
    expect(code, stderr).toBe(0)
    expect(await run(['sh', '-c', find], { env, cwd: folder })).toMatchObject({ code: 0 })
  })
})

it('the first Python recipe gets a token that lives at least ten minutes', async () => {
  desktop.session.hold(TOKEN, 150_000)
  expect(await start(codeBlock('token 1'))).toMatchObject({ code: 0, stdout: `${TOKEN.length + 2}\n`, stderr: '' })
  expect(desktop.session.refreshes).toBe(1)
})

it('a notebook keeps working through refreshes and a rejected token while its kernel runs', async () => {
  const kernel = new Driver(
    [requireProgram('python3'), path.join(ROOT, 'test/clients/drivers/kernel.py')],
    environment(),
  )
  const [first, second] = [codeBlock('Jupyter 1').code, codeBlock('Jupyter 2').code]
  const data = { value: "{'path': '/tables', 'rows': 42}\n", error: '' }
  expect(await kernel.tell(first)).toEqual({ value: '', error: '' })
  expect(await kernel.tell(second)).toEqual(data)
  desktop.session.refresh()
  desktop.refused = desktop.token
  expect(await kernel.tell(second)).toEqual(data)
  kernel.end()
  expect([desktop.answers, desktop.tools]).toEqual([[200, 401, 200], ['Jupyter (Python)']])
})

it('SQLAlchemy connects with the token as its password', async () => {
  const database = await Database.start()
  const url = `postgresql+psycopg2://ana@127.0.0.1:${database.port}/sales`
  const answer = await start(codeBlock('SQLAlchemy 1'), { DATABASE_URL: url })
  expect(answer).toMatchObject({ code: 0, stdout: '42\n', stderr: '' })
  expect(database.passwords).toEqual([TOKEN])
})

it('rclone asks the command for the token', async () => {
  requireProgram('rclone')
  const { code, stdout } = await start(codeBlock('rclone 1'))
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ path: '/table.csv', rows: 42 })
  expect(new Set(desktop.tools)).toEqual(new Set(['rclone (latchkey token)']))
})

it('the configuration for an AI client starts `latchkey mcp`', async () => {
  const { code, stdout } = await start(codeBlock('AI clients 1'))
  expect(code).toBe(0)
  expect(JSON.parse(stdout).mcpServers.latchkey.args).toEqual(['mcp'])
})

it('a tool that expects an OAuth response gets one', async () => {
  const { stdout } = await start(codeBlock('Tools that expect an OAuth response 1'))
  const answer = JSON.parse(stdout)
  expect(answer).toMatchObject({ access_token: TOKEN, token_type: 'Bearer' })
  // `expiry` and `expires_in` are whole seconds.
  const answeredAt = Date.parse(answer.expiry) - 1_000 * answer.expires_in
  expect(Math.abs(answeredAt - Date.now())).toBeLessThan(10_000)
})

it('the command in the kubectl recipe prints a credential with the API version that the recipe names', async () => {
  const { code } = codeBlock('kubectl 1')
  const [, command = '', args = ''] = /command: (\S+)\n +args: \[(.*)\]/.exec(code) ?? []
  const { stdout } = await run(['sh', '-c', `${command} ${args.replaceAll(',', '')}`], { env: environment() })
  const credential = JSON.parse(stdout)
  expect(credential).toMatchObject({ kind: 'ExecCredential', status: { token: TOKEN } })
  expect(code).toContain(`apiVersion: ${credential.apiVersion}\n`)
})

it('`latchkey exec` gives a program the token in its environment', async () => {
  const anHour = 3_600_000
  desktop.session.hold(TOKEN, 0, anHour)
  await save(codeBlock(`${FIXED} 1`), 'report.py')
  const { code, stdout, stderr } = await start(codeBlock(`${FIXED} 2`), PROXIED)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('"rows":42')
  expect(desktop.answers).toEqual([200])
})

it('`latchkey token` gives the token to a program that can run a command', async () => {
  const one = codeBlock(`${FIXED} 3`)
  const { code, stdout, stderr } = await start({ ...one, code: `${one.code}print(repr(token))\n` })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `'${TOKEN}'\n`, stderr: '' })
})

it('a job that listens to events waits for a sign-in, and gets each new token, even after a restart of Latchkey', async () => {
  desktop.oldTokensServe = true
  desktop.session.signOut()
  const [program = '', ...args] = await save(codeBlock(JOB))
  const job = spawn(program, args, { env: environment(), cwd: desktop.folder })
  onTestFinished(() => void job.kill('SIGKILL'))
  const exited = once(job, 'exit')
  const lines = createInterface({ input: job.stdout })[Symbol.asyncIterator]()
  const complaints = createInterface({ input: job.stderr })[Symbol.asyncIterator]()
  const fetched = async (name: string): Promise<unknown> => {
    job.stdin.write(`${name}\n`)
    return JSON.parse((await lines.next()).value ?? 'null')
  }
  const learnsOfNewToken = async () => {
    while (desktop.lastToken !== desktop.token) await fetched('again')
  }
  const first = fetched('first')
  expect((await complaints.next()).value).toContain('You are not signed in. Open Latchkey and sign in.')
  desktop.session.hold(TOKEN)
  expect(await first).toEqual({ path: '/tables/first', rows: 42 })
  desktop.session.refresh()
  await learnsOfNewToken()
  await desktop.stopAgent()
  desktop.session.refresh()
  await desktop.startAgent()
  await learnsOfNewToken()
  expect(desktop.answers).not.toContain(401)
  job.stdin.end()
  expect(await exited).toEqual([0, null])
})

const IN_SHELL = () => [requireProgram('bash'), 'snippet.bash'] as const
const RUNS: Record<CodeTool, () => readonly [program: string, file: string]> = {
  python: () => [requireProgram('python3'), 'snippet.py'],
  r: () => [requireProgram('Rscript', 'r-base-core'), 'snippet.R'],
  node: () => [process.execPath, 'snippet.mjs'],
  shell: IN_SHELL,
  ai: IN_SHELL,
  other: IN_SHELL,
}

async function runSnippet(tool: CodeTool, connection?: string, env: Record<string, string> = {}) {
  const { folder } = desktop
  const [program, file] = RUNS[tool]()
  const address = new URL('/', desktop.dataUrl).href
  const snippets = snippetsFor({ address, connection, isPowerShell: false, replace: 'replace this path' })
  await writeFile(path.join(folder, file), snippets[tool].use)
  await writeFile(path.join(folder, 'my-program'), '#!/bin/sh\nprintf %s "$ACCESS_TOKEN"\n', { mode: 0o755 })
  const variables = { ...environment(), PATH: `${folder}:${CLI}:${PATH}`, ...env }
  return run([program, path.join(folder, file)], { env: variables, cwd: folder })
}

it.each(['python', 'r', 'node', 'shell'] as const)(
  'the %s snippet gets the data of the service, with the token of the connection that it names',
  async (tool) => {
    // SECURITY: curl must use no proxy for a request without TLS. Other tests check that the libraries use none.
    const env = tool === 'shell' ? PROXIED : {}
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

it('the snippets for other programs and AI clients use the connection that they name', async () => {
  expect(await runSnippet('other')).toMatchObject({ code: 0, stdout: TOKEN, stderr: '' })
  expect(await runSnippet('other', 'staging')).toMatchObject({ code: 0, stdout: 'staging-token', stderr: '' })
  const { stdout } = await runSnippet('ai', 'staging')
  expect(JSON.parse(stdout).mcpServers['latchkey-staging'].args).toEqual(['mcp', '--connection=staging'])
})

it('the window’s install commands are those in docs/users/tools.md, whose tests run them', () => {
  const snippets = snippetsFor({ address: 'https://data.example.com/', isPowerShell: false, replace: 'your path' })
  const shown = (['python', 'r', 'node'] as const).map((tool) => `${snippets[tool].install}\n`)
  expect([1, 2, 3].map((number) => codeBlock(`Install a library ${number}`).code)).toEqual(shown)
})
