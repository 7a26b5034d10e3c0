import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, processes } from './processes.ts'

/** The names of users and folders begin with this. The process id follows, so that parallel runs share neither. */
const NAME = 'latchkey-test-'
/** The variable that tells the tests' processes how the users' names begin. */
const VARIABLE = 'LATCHKEY_TEST_USER'
/** User ids come from the process id, because a run in a chroot has users of its own, and must not share ids. */
const FIRST_UID = 20_000
const UIDS = 40_000
const TIMEOUT_MS = 20_000

/** Prepares temporary files and, for root, an ordinary user for each worker. As root, the app would have no sandbox. */
export function prepareRun(label: string, workers: number) {
  removeForgotten()
  const run = `${NAME}${process.pid}-${label}`
  const folder = path.join(tmpdir(), run)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const users = isRoot() ? Array.from({ length: workers }, (_, index) => `${run}-${index + 1}`) : []
  for (const name of users) {
    const taken = new Set(accounts().map(({ uid }) => uid))
    let uid = FIRST_UID + ((process.pid * 16) % UIDS)
    while (taken.has(uid)) uid++
    execFileSync('useradd', ['--uid', `${uid}`, '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  }
  return {
    variables: { TMPDIR: folder, ...(users.length > 0 && { [VARIABLE]: run }) },
    /** Removes the folder and the users. Rejects if it has to end processes of these users. */
    async remove() {
      const left = await endProcessesOf(users.map((name) => idsOf(name).uid))
      for (const name of users) removeUser(name)
      rmSync(folder, { recursive: true, force: true })
      if (left.length > 0) throw new Error(`the tests left processes behind:\n${left.join('\n')}`)
    },
  }
}

/** Prepares a run outside Vitest, and sets the variables in this process. Returns a function that undoes both. */
export default function prepare(): () => Promise<void> {
  const { TMPDIR: before = tmpdir() } = process.env
  const { variables, remove } = prepareRun('run', 1)
  Object.assign(process.env, variables)
  return () => {
    process.env['TMPDIR'] = before
    return remove()
  }
}

export function ordinaryUser(): ReturnType<typeof idsOf> | undefined {
  if (!isRoot()) return undefined
  const name = process.env[VARIABLE]
  if (name === undefined) throw new Error('there is no ordinary user: the set-up of the end to end tests has not run')
  return idsOf(`${name}-${process.env['VITEST_POOL_ID'] ?? 1}`)
}

export function ordinaryFolder(name: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `latchkey-${name}-`))
  own(folder)
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export function own(file: string): void {
  const user = ordinaryUser()
  if (user !== undefined) chownSync(file, user.uid, user.gid)
}

/** A script that runs `executable` as the ordinary user, with the same arguments. Returns its path. */
export function asOrdinaryUser(executable: string, folder: string): string {
  const user = ordinaryUser()
  const become = user === undefined ? '' : `--reuid=${user.uid} --regid=${user.gid} --clear-groups`
  const wrapper = path.join(folder, 'as-ordinary-user')
  const quoted = `'${executable.replaceAll("'", "'\\''")}'`
  // The kernel ends the app if the tests' process is killed.
  writeFileSync(wrapper, `#!/bin/sh\nexec setpriv --pdeathsig KILL ${become} -- ${quoted} "$@"\n`)
  chmodSync(wrapper, 0o755)
  return wrapper
}

const isRoot = (): boolean => process.getuid?.() === 0

function idsOf(name: string) {
  const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function removeUser(name: string): void {
  execFileSync('userdel', ['--force', name], { stdio: 'ignore' })
}

const accounts = () =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid]) => ({ name, uid: Number(uid) }))

function removeForgotten(): void {
  const isForgotten = (name: string) => {
    // A test's own folder has the same beginning (`temporaryFolder`), but no process id.
    const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]
    return pid !== undefined && !isRunning(Number(pid))
  }
  for (const name of readdirSync(tmpdir()).filter(isForgotten)) {
    rmSync(path.join(tmpdir(), name), { recursive: true, force: true })
  }
  if (isRoot()) for (const { name } of accounts()) if (isForgotten(name)) removeUser(name)
}

/** Waits for these users' processes to end. Kills those that don't, and returns them. */
async function endProcessesOf(uids: readonly number[]): Promise<string[]> {
  const running = () => processes().filter((each) => uids.includes(each.uid))
  const deadline = performance.now() + TIMEOUT_MS
  while (running().length > 0 && performance.now() < deadline) await sleep(50)
  return running().map(({ pid, commandLine }) => {
    process.kill(pid, 'SIGKILL')
    return `${pid} ${commandLine}`
  })
}
