/** Protects the process's secrets from other programs. start.ts calls these functions before it loads the app. */
import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from '../../contract/settings.ts'
import type { Variables } from '../settings/layers.ts'

/** Chromium's zygotes, from which the window's process is forked, already run, so their setting is changed, too. */
export function excludeMemoryFromCoreDumps({ platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>): void {
  if (platform !== 'linux') return
  for (const each of familyOf(pid)) {
    try {
      // SECURITY: a core dump contains all memory, with tokens and passwords. 0 leaves out all of it (core(5)).
      writeFileSync(`/proc/${each}/coredump_filter`, '0')
    } catch {
      // This kernel has no core dumps, or never dumps this process: then root owns its files in /proc (proc(5)).
    }
  }
}

/** The process and its descendants, except for the children of threads other than the main one (proc_pid_task(5)). */
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
 * These give access to a debugger: `--remote-debugging-…` and `--inspect…`. With `--js-flags`, V8 may write the heap
 * to a file. Chromium also accepts one dash, and on Windows a slash and capitals (base/command_line.cc).
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

/** With these, Node prints credentials to stderr, which desktops keep. Node reads them before our code runs. */
const REFUSED_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE'] as const

export const refusedVariable = (env: NodeJS.ProcessEnv): string | undefined =>
  REFUSED_VARIABLES.find((name) => env[name])

/** SECURITY: later processes don't inherit the client secret. Chromium's zygote, on Linux, has already inherited it. */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // On Windows, only `process.env` itself ignores the case of names, so no copy of it is read.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
