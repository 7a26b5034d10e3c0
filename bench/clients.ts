/**
 * Measures how long a program in each language takes to get a token, on an open connection and in a new process,
 * compared with a keychain read in the same language. All times are in milliseconds.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Installed, installClients } from '../test/clients/installed.ts'
import { ordinaryFolder, ordinaryUser } from '../test/support/ordinary-user.ts'
import { type Command, output, time } from './commands.ts'
import type { Desktop } from './desktop.ts'
import { answered } from './load.ts'
import { during } from './program.ts'
import type { Figure } from './report.ts'
import { interleave } from './rounds.ts'
import { median } from './statistics.ts'

const KEPT_CALLS = 500
/** The number of keychain reads. It is smaller than `KEPT_CALLS`, because keychain reads are slow. */
const KEYCHAIN_CALLS = 20
const COLD_RUNS = 3
const ENTRY = { service: 'bench', account: 'ana' }

interface Language {
  readonly name: string
  readonly what: string
  readonly keptMs: number
  /** A program that asks for one token and ends. */
  readonly cold: readonly string[]
  /** A program that prints the median time of many calls to the library. */
  readonly kept: readonly string[]
  /** A program that prints the median time of several keychain reads in this language. */
  readonly keychain: readonly string[]
}

const python = (call: string, setUp: string, calls = KEPT_CALLS) => `
import time
${setUp}
${call}
taken = []
for _ in range(${calls}):
    began = time.perf_counter()
    ${call}
    taken.append(time.perf_counter() - began)
print(sorted(taken)[${calls / 2}] * 1000)`

const node = (call: string, setUp: string, calls = KEPT_CALLS) => `
${setUp}
await ${call}
const taken = []
for (let n = 0; n < ${calls}; n++) {
  const began = performance.now()
  await ${call}
  taken.push(performance.now() - began)
}
console.log(taken.sort((a, b) => a - b)[${calls / 2}])`

const r = (call: string, setUp: string, calls: number) => `
${setUp}
invisible(${call})
taken <- replicate(${calls}, { began <- proc.time()[["elapsed"]]; for (n in 1:10) ${call}; proc.time()[["elapsed"]] - began })
cat(median(taken) * 100)`

/** Writes the programs and returns the command that starts each program. */
function programs(folder: string, keytar: string): readonly Language[] {
  const file = (name: string, text: string) => {
    const at = path.join(folder, name)
    writeFileSync(at, text)
    return at
  }
  const { service, account } = ENTRY
  const keyring = `keyring.get_password("${service}", "${account}")`
  const secretTool = `system2("secret-tool", c("lookup", "service", "${service}", "account", "${account}"), stdout = TRUE)`
  const library = 'library(latchkeydesktop)'
  return [
    {
      ...{ name: 'python', what: 'Python', keptMs: 1 },
      cold: ['python3', '-c', 'import latchkey_desktop; latchkey_desktop.token()'],
      kept: ['python3', file('kept.py', python('token()', 'from latchkey_desktop import token'))],
      keychain: ['python3', file('keychain.py', python(keyring, 'import keyring', KEYCHAIN_CALLS))],
    },
    {
      ...{ name: 'node', what: 'Node', keptMs: 1 },
      cold: [process.execPath, file('cold.mjs', "await (await import('latchkey-desktop')).token()")],
      kept: [process.execPath, file('kept.mjs', node('token()', "import { token } from 'latchkey-desktop'"))],
      keychain: [
        process.execPath,
        file(
          'keychain.mjs',
          node(`keytar.getPassword('${service}', '${account}')`, `import keytar from '${keytar}'`, KEYCHAIN_CALLS),
        ),
      ],
    },
    {
      ...{ name: 'r', what: 'R', keptMs: 5 },
      cold: ['Rscript', '-e', 'invisible(latchkeydesktop::latchkey_token())'],
      kept: ['Rscript', file('kept.R', r('latchkey_token()', library, KEPT_CALLS / 10))],
      keychain: ['Rscript', file('keychain.R', r(secretTool, '', 2))],
    },
  ]
}

export async function clients(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const folder = ordinaryFolder('clients')
  try {
    const installed = await installClients(folder.path)
    const socket = desktop.socketOf(desktop.programs.latchkey)
    const runAs = { env: environment(desktop, installed, socket), ...ordinaryUser() }
    const { service, account } = ENTRY
    const attributes = ['service', service, 'account', account, 'username', account]
    const store = `printf secret | secret-tool store --label=bench ${attributes.join(' ')}`
    await output({ words: ['sh', '-c', store], ...runAs })
    return await during(desktop.programs.latchkey, async () => {
      await answered(socket)
      const figures: Figure[] = []
      for (const language of programs(installed.node, desktop.keytar)) {
        figures.push(await kept(language, runAs, rounds), await cold(language, runAs, rounds))
      }
      return figures
    })
  } finally {
    folder.remove()
  }
}

const environment = (
  { programs: { latchkey }, home }: Desktop,
  { python: PYTHONPATH, r: R_LIBS }: Installed,
  socket: string,
) => ({
  ...latchkey.env,
  ...{ PATH: '/usr/bin:/bin', HOME: home, LATCHKEY_SOCKET: socket, PYTHONPATH, R_LIBS },
})

type RunAs = Omit<Command, 'words'>

async function kept({ name, what, keptMs, kept, keychain }: Language, runAs: RunAs, rounds: number): Promise<Figure> {
  const measure = (words: readonly string[]) => async () => Number(await output({ words, ...runAs }))
  const taken = await interleave(rounds, { latchkey: measure(kept), bare: measure(keychain) })
  return { name, what: `a token in ${what}, open connection`, limitMs: keptMs, ...taken }
}

/** Times a whole process that gets one token, and `secret-tool lookup` for comparison. */
async function cold({ name, what, cold }: Language, runAs: RunAs, rounds: number): Promise<Figure> {
  const { service, account } = ENTRY
  const lookup = ['secret-tool', 'lookup', 'service', service, 'account', account]
  const measure = (words: readonly string[]) => async () => median(await time({ words, ...runAs }, COLD_RUNS))
  const taken = await interleave(rounds, { latchkey: measure(cold), bare: measure(lookup) })
  // This figure has no limit, because starting the language's interpreter takes most of the time.
  return { name: `${name}-cold`, what: `a token in ${what}, new process`, limitMs: undefined, ...taken }
}
