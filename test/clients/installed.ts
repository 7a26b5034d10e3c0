/** Installs the client libraries with pip, R and npm, as users do. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildClients } from '../../scripts/clients.mjs'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'

export type Installed = Awaited<ReturnType<typeof installClients>>

export async function installClients(folder = mkdtempSync(path.join(tmpdir(), 'latchkey-clients-'))) {
  const inside = (name: string) => path.join(folder, name)
  const [archives, python, r, node] = [inside('archives'), inside('python'), inside('r'), inside('node')]
  await buildClients(archives)
  const archive = (name: string) => path.join(archives, name)
  // Caches are in this folder, too, because a shared one may belong to another user who ran these tests.
  const install = (line: string, ...words: readonly string[]) => succeed(['sh', '-c', line, ...words], folder)
  const pip = `${requireProgram('python3')} -m pip install --quiet --no-index --no-compile`
  await Promise.all([
    install(`${pip} --target "$0" "$1"`, python, archive('latchkey_desktop-0.1.0-py3-none-any.whl')),
    install('mkdir "$0" && R CMD INSTALL --library="$0" "$1"', r, archive('latchkeydesktop_0.1.0.tar.gz')),
    succeed(
      [
        ...[process.execPath, npmCli(), 'install', '--silent', '--offline', '--no-audit', '--prefix', node],
        archive('latchkey-desktop-0.1.0.tgz'),
      ],
      folder,
    ),
  ])
  return { archives, python, r, node }
}

/** The script of the npm that started this process, or else of the npm that is installed with Node. */
export const npmCli = (): string => {
  const own = process.env['npm_execpath']
  if (own !== undefined && path.basename(own) === 'npm-cli.js') return own
  return path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
}

async function succeed(words: readonly string[], home: string): Promise<void> {
  const { code, stdout, stderr } = await run(words, { env: { PATH, HOME: home } })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
}
