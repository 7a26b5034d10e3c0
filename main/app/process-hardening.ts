/** Protects the process's secrets from other programs. start.ts calls these functions before it loads the app. */
import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from '../../contract/settings.ts'
import type { Variables } from '../settings/layers.ts'

/**
 * Keeps the app's memory out of core dumps, which the kernel or a program such as systemd-coredump writes. New
 * processes inherit the setting. Chromium's zygotes, from which the window's process is forked, are already running, so
 * this function also changes their setting.
 */
export function excludeMemoryFromCoreDumps({ platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>): void {
  if (platform !== 'linux') return
  for (const each of familyOf(pid)) {
    try {
      // SECURITY: a core dump contains everything in memory, including tokens and passwords.
      // The value 0 leaves out all of it (core(5)).
      writeFileSync(`/proc/${each}/coredump_filter`, '0')
    } catch {
      // The kernel was built without core dumps. Or it never dumps this process; then root owns the process's
      // files in /proc (proc(5)).
    }
  }
}

/**
 * A process and its descendants. Each thread has its own list of children (proc_pid_task(5)). Only the main thread's
 * list is read, so the children of other threads are missing.
 */
function familyOf(pid: number): number[] {
  let children: number[] = []
  try {
    children = (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)
  } catch {
    // The process has ended, or this kernel doesn't list children.
  }
  return [pid, ...children.flatMap(familyOf)]
}

/**
 * Switches that give a debugger access: Chromium's (`--remote-debugging-port`, `-pipe`, `-address`) and Node's
 * (`--inspect`, `--inspect-brk`). With `--js-flags`, V8 may print arguments or write the heap to a file. Chromium also
 * accepts a single dash, and on Windows a slash and capitals (Chromium: base/command_line.cc).
 */
const REFUSED_SWITCHES = {
  posix: /^--?(remote-debugging|inspect|js-flags)(-|=|$)/,
  windows: /^(--?|\/)(remote-debugging|inspect|js-flags)(-|=|$)/i,
} as const

/** Chromium strips these from each argument (base/strings/string_util). JavaScript's `\s` doesn't match U+0085. */
const STRIPPED = /[\s\u0085]/

// SECURITY: this is a loop, because a pattern anchored at the end would take quadratic time on many spaces.
function stripped(argument: string): string {
  let start = 0
  let end = argument.length
  while (start < end && STRIPPED.test(argument.charAt(start))) start++
  while (end > start && STRIPPED.test(argument.charAt(end - 1))) end--
  return argument.slice(start, end)
}

export function refusedSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === 'win32' ? REFUSED_SWITCHES.windows : REFUSED_SWITCHES.posix
  return argv
    .slice(1)
    .map(stripped)
    .find((argument) => refused.test(argument))
    ?.replace(/=.*$/s, '')
}

/**
 * These make Node print debug data to stderr, which desktops keep in a journal: `NODE_DEBUG=http` prints each request's
 * credentials. Node has read them before our code runs, so deleting them is too late.
 */
const REFUSED_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE'] as const

export const refusedVariable = (env: NodeJS.ProcessEnv): string | undefined =>
  REFUSED_VARIABLES.find((name) => env[name])

/**
 * Reads the variables that contain settings. SECURITY: removes the client secret from the environment, so that
 * processes started later don't inherit it. Chromium's zygote, on Linux, has already inherited it.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // On Windows, `process.env` ignores the case of names, but a copy of it doesn't. So each variable is read from
  // `process.env` itself.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
