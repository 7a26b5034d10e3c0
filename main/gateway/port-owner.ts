/** Finds out who listens on a port of this computer. Only Linux can say so without running another program. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { userInfo } from 'node:os'

const LISTENING = '0A'

/** The program's name or, if another user runs it, that user's name. `undefined` if neither can be found. */
export async function ownerOf(port: number): Promise<string | undefined> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  )
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  for (const line of tables.join('\n').split('\n')) {
    const [, local = '', , state, , , , uid, , inode] = line.trim().split(/\s+/)
    if (state !== LISTENING || !local.endsWith(`:${hex}`) || uid === undefined) continue
    return (await programOf(inode)) ?? (await nameOf(uid))
  }
  return undefined
}

async function programOf(inode: string | undefined): Promise<string | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const file of files) {
      const link = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '')
      if (link === `socket:[${inode}]`)
        return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() || undefined
    }
  }
  return undefined
}

async function nameOf(uid: string): Promise<string | undefined> {
  if (Number(uid) === process.getuid?.()) return userInfo().username
  const line = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .find((each) => each.split(':')[2] === uid)
  return line?.split(':')[0]
}
