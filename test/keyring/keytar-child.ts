import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { KeytarChild } from '../../main/keychain/keytar-process.ts'
import type { Keyring } from './keyring.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type KeytarChildren = Awaited<ReturnType<typeof keytarChildren>>

/** Builds the keychain process's script. The returned `fork` runs it in plain Node, on a private D-Bus session. */
export async function keytarChildren({ env }: Keyring) {
  // This folder is in the checkout, where the script finds keytar.
  const outDir = path.join(ROOT, 'out/test', `keytar-child-${process.pid}`)
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path.join(ROOT, 'main/keychain/keytar-child.ts'),
      outDir,
      target: 'node20.18',
      rolldownOptions: { external: ['keytar'], output: { format: 'cjs', entryFileNames: 'child.cjs' } },
    },
  })
  const pids: number[] = []
  return {
    pids,
    fork(): KeytarChild {
      const child = fork(path.join(outDir, 'child.cjs'), {
        env: { ...env },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      pids.push(child.pid ?? 0)
      return {
        // `onExit` reports a child that has ended, so errors are ignored here.
        send: (message) => void child.send(message as object, () => {}),
        onMessage: (hear) => void child.on('message', hear),
        onExit: (hear) => void child.once('exit', hear),
        kill: () => void child.kill('SIGKILL'),
      }
    },
    stop: () => rm(outDir, { recursive: true, force: true }),
  }
}
