/** What the kernel knows of running processes (Linux: proc(5)). */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'

export type Process = ReturnType<typeof describe>

export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [describe(Number(name))]
      } catch {
        return []
      }
    })
    .filter((each) => each.commandLine !== '')
}

export function processTree(root: number): Process[] {
  const all = processes()
  const tree = all.filter(({ pid }) => pid === root)
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid))
  return tree
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** True for Chromium's setuid helper, which Chromium needs where it can't create user namespaces. */
export const isSandboxHelper = ({ commandLine }: Process): boolean => /^\S+\/chrome-sandbox /.test(commandLine)

export const typeOf = ({ commandLine }: Process): string => / --type=([\w-]+)/.exec(commandLine)?.[1] ?? 'main'

export function statusOf({ pid }: Process, field: string): string | undefined {
  return fieldOf(readFileSync(`/proc/${pid}/status`, 'utf8'), field)
}

const fieldOf = (status: string, name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]

/** Which memory goes into a core dump, as hexadecimal digits (core(5)). */
export const coreDumpFilterOf = ({ pid }: Process): string =>
  readFileSync(`/proc/${pid}/coredump_filter`, 'utf8').trim()

/** True if the kernel writes no core dump of the process. Its files in `/proc` then belong to root (proc(5)). */
export const isUndumpable = ({ pid, uid }: Process): boolean => uid !== 0 && statSync(`/proc/${pid}/environ`).uid === 0

/** The environment at the process's start; `undefined` if the kernel refuses to show it. */
export function environmentOf({ pid }: Process): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`)
  } catch {
    return undefined
  }
}

/** The process's writable memory, in use or freed; `undefined` if the kernel refuses to show it. */
export function memoryOf({ pid }: Process): Buffer[] | undefined {
  let memory: number | undefined
  try {
    memory = openSync(`/proc/${pid}/mem`, 'r')
    const regions = [...readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^(\w+)-(\w+) rw-/gm)]
    return regions.map(([, from, to]) => readRegion(Number(memory), BigInt(`0x${from}`), BigInt(`0x${to}`)))
  } catch {
    return undefined
  } finally {
    if (memory !== undefined) closeSync(memory)
  }
}

function readRegion(memory: number, from: bigint, to: bigint): Buffer {
  const bytes = Buffer.alloc(Number(to - from))
  try {
    return bytes.subarray(0, readSync(memory, bytes, 0, bytes.length, from))
  } catch {
    // This region is reserved in the address space, but not mapped.
    return Buffer.alloc(0)
  }
}

function describe(pid: number) {
  const file = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  // The name in parentheses may contain anything, so the fields are counted from the end.
  const afterName = file('stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return {
    pid,
    parent: Number(afterName[1]),
    // The user comes from `status`, because the folder belongs to root if the process hides its memory.
    uid: Number(fieldOf(file('status'), 'Uid')?.split('\t')[0]),
    commandLine: file('cmdline').replaceAll('\0', ' ').trim(),
  }
}
