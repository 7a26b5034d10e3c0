import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const NAME = 'latchkey-test'

interface Ids {
  readonly uid: number
  readonly gid: number
}

/**
 * Root has no sandbox, no keychain of its own, and may read everything: tests that drive the app as root would
 * prove little. So the app runs as a throw-away ordinary user. Makes that user when run as root; the undo removes it.
 */
export default function setup(): (() => void) | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (idsOf(NAME) === undefined) execFileSync('useradd', ['--no-create-home', '--shell', '/usr/sbin/nologin', NAME])
  return () => {
    execFileSync('userdel', ['--force', NAME], { stdio: 'ignore' })
  }
}

/** Whom the app runs as; nobody else than ourselves where we are ordinary already. */
export function ordinaryUser(): Ids | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ids = idsOf(NAME)
  if (ids === undefined) throw new Error(`there is no user ${NAME}: the set-up of the end to end tests has not run`)
  return ids
}

/** A folder of that user's own, and its undo. */
export function ordinaryFolder(name: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `latchkey-${name}-`))
  const user = ordinaryUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A program that runs `executable` as that user, with the arguments it is given. */
export function asOrdinaryUser(executable: string, folder: string): string {
  const user = ordinaryUser()
  if (user === undefined) return executable
  const wrapper = path.join(folder, 'as-ordinary-user')
  const quoted = `'${executable.replaceAll("'", "'\\''")}'`
  const become = `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups`
  writeFileSync(wrapper, `#!/bin/sh\nexec ${become} -- ${quoted} "$@"\n`)
  chmodSync(wrapper, 0o755)
  return wrapper
}

function idsOf(name: string): Ids | undefined {
  try {
    const id = (option: string) => Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}
