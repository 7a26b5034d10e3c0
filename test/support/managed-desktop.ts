import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { withOwnMounts } from './own-mounts.ts'
import { openTestDesktop } from './test-desktop.ts'

/** A test desktop whose app has its own /etc/latchkey. Only root can create such a desktop (mount_namespaces(7)). */
export async function openManagedDesktop(content: unknown) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-managed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [lower = '', policies = ''] = ['lower', 'policies'].map((name) => path.join(folder, name))
  mkdirSync(path.join(lower, 'latchkey'), { recursive: true })
  mkdirSync(policies)
  const file = path.join(policies, 'policy.json')
  const write = (what: unknown, mode = 0o644) => {
    writeFileSync(file, typeof what === 'string' || Buffer.isBuffer(what) ? what : JSON.stringify(what))
    chmodSync(file, mode)
  }
  write(content)
  const mounts = [`mount -t overlay -o lowerdir=${lower}:/etc overlay /etc`, `mount --bind ${policies} /etc/latchkey`]
  const desk = await openTestDesktop()
  const { executable } = desk.installation
  const plain = readFileSync(executable, 'utf8')
  expect(plain).toContain('\nexec setpriv')
  writeFileSync(executable, plain.replace('\nexec ', `\nexec ${withOwnMounts(mounts)}`))
  return { desk, write, remove: () => rmSync(file) }
}
