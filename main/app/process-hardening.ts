/** Protects this process's secrets from other programs. start.ts calls the functions before it loads run-app.ts. */
import { readFileSync, writeFileSync } from 'node:fs'

/** With this value, the kernel writes no part of a process's memory into its core dump (core(5)). */
const NOTHING = '0'

/**
 * Keeps the app's memory out of core dumps, whether the kernel or a program such as systemd-coredump writes them. Later
 * processes inherit the setting. Chromium's zygotes are already running, and the window's process is forked from one,
 * so they get it, too.
 */
export function excludeMemoryFromCoreDumps({ platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>): void {
  if (platform !== 'linux') return
  for (const each of familyOf(pid)) {
    try {
      // SECURITY: a core dump contains everything in memory, including tokens and passwords.
      writeFileSync(`/proc/${each}/coredump_filter`, NOTHING)
    } catch {
      // The kernel writes no core dump of this process: either it was built without core dumps, or it excludes the
      // process, whose files in /proc then belong to root (proc(5)).
    }
  }
}

/**
 * A process and its descendants. Only children of a main thread are found: each thread has its own list of children
 * (proc_pid_task(5)), and the lists of other threads are not read.
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
 * Switches that give a debugger access to the app: Chromium's (`--remote-debugging-port`, `-pipe`, `-address`) and
 * Node's (`--inspect`, `--inspect-brk`). `--js-flags` is also refused, because some of V8's flags print the arguments
 * of each function call or write the heap to a file. Chromium also accepts a single dash, and on Windows a slash and
 * capitals (Chromium: base/command_line.cc).
 */
const REFUSED_SWITCHES = {
  elsewhere: /^--?(remote-debugging|inspect|js-flags)(-|=|$)/,
  windows: /^(--?|\/)(remote-debugging|inspect|js-flags)(-|=|$)/i,
} as const

/**
 * Matches a character that Chromium strips from both ends of each argument. U+0085 is listed because JavaScript's `\s`
 * doesn't match it (Chromium: base/strings/string_util).
 */
const STRIPPED = /[\s\u0085]/

// SECURITY: this is a loop, because a pattern anchored at the end would take quadratic time on many spaces.
function stripped(argument: string): string {
  let start = 0
  let end = argument.length
  while (start < end && STRIPPED.test(argument.charAt(start))) start++
  while (end > start && STRIPPED.test(argument.charAt(end - 1))) end--
  return argument.slice(start, end)
}

/** The name of the first switch that a packaged app refuses; `undefined` if there is none. */
export function refusedSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === 'win32' ? REFUSED_SWITCHES.windows : REFUSED_SWITCHES.elsewhere
  return argv
    .slice(1)
    .map(stripped)
    .find((argument) => refused.test(argument))
    ?.replace(/=.*$/s, '')
}

/**
 * Variables that make Node print debug data to stderr, which desktops keep in a journal. For example, `NODE_DEBUG=http`
 * prints the credentials of each request. Node reads these variables before any of our code runs, so deleting them
 * would be too late.
 */
const REFUSED_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE'] as const

/** The first variable that a packaged app refuses, if any. */
export const refusedVariable = (env: NodeJS.ProcessEnv): string | undefined =>
  REFUSED_VARIABLES.find((name) => env[name])

/**
 * Removes the variable that makes the proxy libraries' `debug` package print to stderr, with `DEBUG_SHOW_HIDDEN` even
 * the password of a SOCKS proxy. The package reads it once, when it is loaded. Many developers set `DEBUG` for their
 * own programs, so the app doesn't refuse to start over it.
 */
export function dropDebugVariable(env: NodeJS.ProcessEnv): void {
  delete env['DEBUG']
}
