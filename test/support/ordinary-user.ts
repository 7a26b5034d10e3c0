import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, processes } from './processes.ts'

/** The name of a run's user and folder is this prefix and the process id, so that parallel runs share neither. */
const NAME = 'latchkey-test-'
/** The variable that passes the run's user to the test processes. */
const VARIABLE = 'LATCHKEY_TEST_USER'
/** The environment variable with the test run's name. The first call of `setup` sets it. */
const RUN = 'LATCHKEY_TEST_RUN'
/**
 * User ids are derived from the run's process id, because a run in a chroot has its own user list. If each list
 * assigned ids in order, two runs could get the same id, and each run would end the other's processes.
 */
const FIRST_UID = 20_000
const UIDS = 40_000
/** How long processes may take to end. */
const TIMEOUT_MS = 3_000

export interface Ids {
  readonly uid: number
  readonly gid: number
}

/**
 * Prepares a run: creates a folder for its temporary files and, if the tests run as root, an ordinary user to run the
 * app as. As root, the app would have no sandbox and could read everything, so the tests would prove little. The
 * returned function removes the folder and the user. If it has to end processes of that user, it rejects.
 */
export default function setup(): () => Promise<void> {
  const name = `${NAME}${process.pid}`
  // Each project of a run calls this function; only the first call prepares the run.
  if (process.env[RUN] === name) return async () => {}
  process.env[RUN] = name
  removeForgotten()
  const folder = path.join(tmpdir(), name)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const { TMPDIR: before } = process.env
  process.env['TMPDIR'] = folder
  if (isRoot()) {
    const uid = FIRST_UID + (process.pid % UIDS)
    execFileSync('useradd', ['--uid', `${uid}`, '--no-create-home', '--shell', '/usr/sbin/nologin', name])
    process.env[VARIABLE] = name
  }
  return async () => {
    delete process.env[RUN]
    const left = isRoot() ? await endProcessesOf(idsOf(name).uid) : []
    if (isRoot()) removeUser(name)
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`the tests left processes behind:\n${left.join('\n')}`)
  }
}

/** The user that the app runs as; absent if the current user is ordinary. */
export function ordinaryUser(): Ids | undefined {
  if (!isRoot()) return undefined
  const name = process.env[VARIABLE]
  if (name === undefined) throw new Error('there is no ordinary user: the set-up of the end to end tests has not run')
  return idsOf(name)
}

/** Creates a folder that belongs to the user that the app runs as. */
export function ordinaryFolder(name: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `latchkey-${name}-`))
  own(folder)
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Gives a file or folder to the user that the app runs as. */
export function own(file: string): void {
  const user = ordinaryUser()
  if (user !== undefined) chownSync(file, user.uid, user.gid)
}

/** Writes a script that runs `executable` as the ordinary user, with the same arguments. Returns the script's path. */
export function asOrdinaryUser(executable: string, folder: string): string {
  const user = ordinaryUser()
  const become = user === undefined ? '' : `--reuid=${user.uid} --regid=${user.gid} --clear-groups`
  const wrapper = path.join(folder, 'as-ordinary-user')
  const quoted = `'${executable.replaceAll("'", "'\\''")}'`
  // If the tests' process is killed, the kernel ends the app.
  writeFileSync(wrapper, `#!/bin/sh\nexec setpriv --pdeathsig KILL ${become} -- ${quoted} "$@"\n`)
  chmodSync(wrapper, 0o755)
  return wrapper
}

const isRoot = (): boolean => process.getuid?.() === 0

function idsOf(name: string): Ids {
  const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function removeUser(name: string): void {
  execFileSync('userdel', ['--force', name], { stdio: 'ignore' })
}

/** Removes the folders and users of runs that were killed. */
function removeForgotten(): void {
  const isForgotten = (name: string) => name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length)))
  for (const name of readdirSync(tmpdir()).filter(isForgotten)) {
    rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
  }
  if (!isRoot()) return
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':')[0] ?? '')
  for (const name of users.filter(isForgotten)) removeUser(name)
}

/** Waits for a user's processes to end. Kills those that don't, and returns them. */
async function endProcessesOf(uid: number): Promise<string[]> {
  const running = () => processes().filter((each) => each.uid === uid)
  const deadline = performance.now() + TIMEOUT_MS
  while (running().length > 0 && performance.now() < deadline) await sleep(50)
  return running().map(({ pid, commandLine }) => {
    process.kill(pid, 'SIGKILL')
    return `${pid} ${commandLine}`
  })
}
