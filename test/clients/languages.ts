/** Each client library has a driver: a program that executes commands with it. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DRIVERS = path.join(ROOT, 'test/clients/drivers')

export const PYTHON_LIBRARY = { PYTHONPATH: path.join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }

/** Runs Python code, and expects no warnings. Returns the lines that it prints. */
export async function runPython(code: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const words = [requireProgram('python3'), '-W', 'error::ResourceWarning', '-c', code]
  const { stdout, stderr } = await run(words, { env: { PATH, ...PYTHON_LIBRARY, ...env } })
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, -1)
}

/** `reusesRequests`: programs can send a request object again, to another address. */
export const LANGUAGES = [
  {
    name: 'Python',
    tool: 'driver.py (Python)',
    ways: ['requests', 'httpx', 'httpx with asyncio'],
    hasThreads: true,
    canFork: true,
    canStream: true,
    reusesRequests: false,
    prepare: () => ({
      words: [requireProgram('python3'), '-W', 'error', path.join(DRIVERS, 'driver.py')],
      env: PYTHON_LIBRARY,
    }),
  },
  {
    name: 'Node',
    tool: 'driver.mjs (Node)',
    ways: ['fetch'],
    hasThreads: true,
    canFork: false,
    canStream: true,
    reusesRequests: false,
    prepare: () => ({
      words: [process.execPath, path.join(DRIVERS, 'driver.mjs')],
      env: { LATCHKEY_PACKAGE: buildNodePackage() },
    }),
  },
  {
    name: 'R',
    tool: 'driver.R (R)',
    ways: ['httr2'],
    hasThreads: false,
    canFork: true,
    canStream: false,
    reusesRequests: true,
    prepare: () => ({
      words: [requireProgram('Rscript', 'r-base-core'), path.join(DRIVERS, 'driver.R')],
      env: { R_LIBS: installRPackage() },
    }),
  },
]

export function buildNodePackage(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-node-'))
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['-p', path.join(ROOT, 'clients/node'), '--noEmit', 'false', '--outDir', folder]
  succeed([process.execPath, tsc, ...options])
  // Outside the checkout, .js files are ES modules only if a package.json says so.
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

export function installRPackage(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-r-'))
  succeed([requireProgram('R', 'r-base-core'), 'CMD', 'INSTALL', `--library=${folder}`, path.join(ROOT, 'clients/r')])
  return folder
}

function succeed([program = '', ...args]: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

export interface Told {
  readonly value?: unknown
  readonly code?: string
  readonly message?: string
}

export class Driver {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  #stderr = ''

  constructor([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(program, args, { env })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
  }

  /** Sends a command, or code for a notebook's kernel. */
  async tell(order: unknown): Promise<Told> {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`)
    const { value } = await this.#lines.next()
    if (value === undefined) throw new Error(`the driver has ended: ${this.#stderr}`)
    return JSON.parse(value)
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}
