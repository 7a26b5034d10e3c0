/**
 * Variables by which Node prints what it handles on stderr, which desktops keep in a journal. `NODE_DEBUG=http` prints
 * the credentials of each request. Node reads them before any code of ours runs, so deleting them is too late.
 */
const REFUSED = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE'] as const

/** The first variable with which a packaged app doesn't start, if there is one. */
export const refusedVariable = (env: NodeJS.ProcessEnv): string | undefined => REFUSED.find((name) => env[name])

/**
 * Takes away the variable by which the proxy libraries' `debug` package prints on stderr: with `DEBUG_SHOW_HIDDEN`, the
 * password of a SOCKS proxy too. Many developers have `DEBUG` set for programs of their own, so the app starts
 * all the same. The package reads it once, when it is loaded.
 */
export function dropDebugVariable(env: NodeJS.ProcessEnv): void {
  delete env['DEBUG']
}
