/**
 * Switches by which a debugger gets into the app: Chromium's (`--remote-debugging-port`, `-pipe`, `-address`) and
 * Node's (`--inspect`, `--inspect-brk`); and V8's own (`--js-flags`), some of which print the arguments of each function
 * call or write the heap to a file. Chromium takes one dash for two, on Windows a slash as well, and there in capitals too
 * (Chromium: base/command_line.cc).
 */
const REFUSED = {
  elsewhere: /^--?(remote-debugging|inspect|js-flags)(-|=|$)/,
  windows: /^(--?|\/)(remote-debugging|inspect|js-flags)(-|=|$)/i,
} as const

/** A character that Chromium strips from both ends of each argument; for JavaScript, U+0085 is no space (Chromium: base/strings/string_util). */
const STRIPPED = /[\s\u0085]/

// SECURITY: a pattern for what is at the end would begin again at every space.
function stripped(argument: string): string {
  let start = 0
  let end = argument.length
  while (start < end && STRIPPED.test(argument.charAt(start))) start++
  while (end > start && STRIPPED.test(argument.charAt(end - 1))) end--
  return argument.slice(start, end)
}

/** The first switch, by its name alone, with which a packaged app doesn't start; `undefined` where there is none. */
export function refusedSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === 'win32' ? REFUSED.windows : REFUSED.elsewhere
  return argv
    .slice(1)
    .map(stripped)
    .find((argument) => refused.test(argument))
    ?.replace(/=.*$/s, '')
}
