import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Root has no sandbox, no keychain of its own, and may read everything: tests that drive the app as root would
 * prove little. So the app runs as a user who exists only as a number. `undefined` where we are ordinary already.
 */
export const ORDINARY: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 61_017, gid: 61_017 } : undefined

/** A folder of that user's own, and its undo. */
export function ordinaryFolder(name: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), `latchkey-${name}-`))
  if (ORDINARY !== undefined) chownSync(folder, ORDINARY.uid, ORDINARY.gid)
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A program that runs `executable` as that user, with the arguments it is given. */
export function asOrdinaryUser(executable: string, folder: string): string {
  if (ORDINARY === undefined) return executable
  const { uid, gid } = ORDINARY
  const wrapper = path.join(folder, 'as-ordinary-user')
  const quoted = `'${executable.replaceAll("'", "'\\''")}'`
  writeFileSync(wrapper, `#!/bin/sh\nexec setpriv --reuid=${uid} --regid=${gid} --clear-groups -- ${quoted} "$@"\n`)
  chmodSync(wrapper, 0o755)
  return wrapper
}
