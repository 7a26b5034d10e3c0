/**
 * Switches by which a debugger gets into the app: Chromium's (`--remote-debugging-port`, `-pipe`, `-address`) and
 * Node's (`--inspect`, `--inspect-brk`). Chromium takes one dash for two, on Windows a slash as well, and there in
 * capitals too (Chromium: base/command_line.cc).
 */
const REFUSED = {
  elsewhere: /^--?(remote-debugging|inspect)(-|=|$)/,
  windows: /^(--?|\/)(remote-debugging|inspect)(-|=|$)/i,
} as const

/** What Chromium takes away round each argument; JavaScript doesn't count U+0085 (Chromium: base/strings/string_util). */
const AROUND = /^[\s\u0085]+|[\s\u0085]+$/g

/** The first switch, by its name alone, with which a packaged app doesn't start; `undefined` where there is none. */
export function refusedSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === 'win32' ? REFUSED.windows : REFUSED.elsewhere
  return argv
    .slice(1)
    .map((argument) => argument.replace(AROUND, ''))
    .find((argument) => refused.test(argument))
    ?.replace(/=.*$/s, '')
}
