import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processes } from './processes.ts'

/** The user's name, followed by the id of the process that made it: runs at the same time don't share one. */
const NAME = 'latchkey-test-'
/** Names the user of this run to the processes that run its tests. */
const VARIABLE = 'LATCHKEY_TEST_USER'
/** How long what is ending may take: milliseconds. */
const PATIENCE = 3_000

export interface Ids {
  readonly uid: number
  readonly gid: number
}

/**
 * Root has no sandbox, no keychain of its own, and may read everything: tests that drive the app as root would
 * prove little. So the app runs as a throw-away ordinary user. Makes that user when run as root; the undo removes
 * it, and rejects when a process of the tests was still running, having ended it.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.getuid?.() !== 0) return undefined
  removeForgotten()
  const name = `${NAME}${process.pid}`
  execFileSync('useradd', ['--no-create-home', '--shell', '/usr/sbin/nologin', name])
  process.env[VARIABLE] = name
  return async () => {
    const left = await endProcessesOf(idsOf(name).uid)
    remove(name)
    if (left.length > 0) throw new Error(`the tests left processes behind:\n${left.join('\n')}`)
  }
}

/** Whom the app runs as; nobody else than ourselves where we are ordinary already. */
export function ordinaryUser(): Ids | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = process.env[VARIABLE]
  if (name === undefined) throw new Error('there is no ordinary user: the set-up of the end to end tests has not run')
  return idsOf(name)
}

/** A folder of that user's own, and its undo. */
export function ordinaryFolder(name: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `latchkey-${name}-`))
  own(folder)
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Gives a file or folder to that user. */
export function own(file: string): void {
  const user = ordinaryUser()
  if (user !== undefined) chownSync(file, user.uid, user.gid)
}

/** A program that runs `executable` as that user, with the arguments it is given, and ends with the tests. */
export function asOrdinaryUser(executable: string, folder: string): string {
  const user = ordinaryUser()
  const become = user === undefined ? '' : `--reuid=${user.uid} --regid=${user.gid} --clear-groups`
  const wrapper = path.join(folder, 'as-ordinary-user')
  const quoted = `'${executable.replaceAll("'", "'\\''")}'`
  // The kernel ends the app where the tests' process was killed and could not.
  writeFileSync(wrapper, `#!/bin/sh\nexec setpriv --pdeathsig KILL ${become} -- ${quoted} "$@"\n`)
  chmodSync(wrapper, 0o755)
  return wrapper
}

function idsOf(name: string): Ids {
  const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function remove(name: string): void {
  execFileSync('userdel', ['--force', name], { stdio: 'ignore' })
}

/** A run that was killed could not remove its user. */
function removeForgotten(): void {
  const names = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${NAME}\\d+(?=:)`, 'gm')) ?? []
  for (const name of names) if (!existsSync(`/proc/${name.slice(NAME.length)}`)) remove(name)
}

/** Waits for a user's processes to end, ends those that don't, and answers what these were. */
async function endProcessesOf(uid: number): Promise<string[]> {
  const running = () => processes().filter((each) => each.uid === uid)
  const deadline = performance.now() + PATIENCE
  while (running().length > 0 && performance.now() < deadline) await sleep(50)
  return running().map(({ pid, commandLine }) => {
    process.kill(pid, 'SIGKILL')
    return `${pid} ${commandLine}`
  })
}
