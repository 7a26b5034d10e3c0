import { readFileSync, writeFileSync } from 'node:fs'

/** Which parts of its memory the kernel writes into a process' core dump: none (core(5)). */
const NOTHING = '0'

/**
 * Keeps the app's memory out of core dumps, whether they are taken by the kernel or by a program such as
 * systemd-coredump. Each process that is started from now on inherits the filter. Chromium's zygotes run already, and
 * the window's process is forked from one of them, so they get it too.
 */
export function leaveMemoryOutOfCoreDumps({ platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>): void {
  if (platform !== 'linux') return
  for (const each of familyOf(pid)) {
    try {
      // SECURITY: a core dump is a file of everything in memory, tokens and passwords among it.
      writeFileSync(`/proc/${each}/coredump_filter`, NOTHING)
    } catch {
      // This kernel takes no core dumps, or none of this process: its files are then root's (proc(5)).
    }
  }
}

/** A process and all that its main thread has started, and so on (proc_pid_task(5)). */
function familyOf(pid: number): number[] {
  let children: number[] = []
  try {
    children = (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)
  } catch {
    // It has ended, or this kernel doesn't list children.
  }
  return [pid, ...children.flatMap(familyOf)]
}
