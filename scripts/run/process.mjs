import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/**
 * @typedef {NodeJS.Dict<string>} Variables Added to this process's environment; `undefined` removes a variable.
 *
 * @typedef {object} Options
 * @property {Variables} [env]
 * @property {string} [cwd]
 * @property {boolean} [show] Uses this process's stdout and stderr instead of capturing them.
 * @property {number} [limit] Milliseconds until the process is stopped.
 * @property {number} [uid] The user (and group) to run as.
 * @property {number} [pipe] A file descriptor whose output is captured too.
 *
 * @typedef {object} Ended
 * @property {number} code 127 when the program could not be started, 128 + n after signal n.
 * @property {string} output The captured output, or why it did not start.
 * @property {boolean} timedOut
 *
 * @typedef {object} Running
 * @property {Promise<Ended>} ended Never rejects.
 * @property {(pattern: RegExp, timeoutMs: number) => Promise<RegExpExecArray | undefined>} said
 *   The first match in the captured output; `undefined` if the process ends first, or after `timeoutMs` milliseconds.
 * @property {(grace?: number) => Promise<Ended>} stop Sends SIGTERM, and SIGKILL after `grace` milliseconds.
 */

const GROUPS = process.platform !== 'win32'
const KEPT_OUTPUT = 200_000

/** @type {Map<import('node:child_process').ChildProcess, Running>} */
const running = new Map()

/**
 * Starts a child. Except on Windows, the child has its own process group. Ctrl-C then reaches only this process, which
 * must stop its children (`onEnd`, `stopAll`).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Running}
 */
export function start(command, args, { env = {}, cwd = root, show = false, limit, uid, pipe } = {}) {
  const output = show ? 'inherit' : 'pipe'
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', output, output]
  if (pipe !== undefined) stdio[pipe] = 'pipe'
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio,
    detached: GROUPS,
    windowsHide: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })

  let text = ''
  /** @type {Set<() => void>} */
  const listeners = new Set()
  for (const stream of child.stdio.slice(1)) {
    if (!stream || !('setEncoding' in stream)) continue
    stream.setEncoding('utf8').on('data', (/** @type {string} */ piece) => {
      text = (text + piece).slice(-KEPT_OUTPUT)
      for (const listener of listeners) listener()
    })
  }

  let timedOut = false
  const ended = new Promise((/** @type {(value: Ended) => void} */ resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: 127, output: error.message, timedOut })
    })
    child.once('close', (code, name) => {
      resolve({ code: code ?? 128 + (name ? constants.signals[name] : 0), output: text, timedOut })
    })
  }).finally(() => {
    running.delete(child)
    if (running.size === 0) process.off('exit', endAll)
  })

  /** @type {Running['said']} */
  const said = (pattern, timeoutMs) =>
    new Promise((resolve) => {
      const look = () => {
        const match = pattern.exec(text)
        if (match) settle(match)
      }
      const settle = (/** @type {RegExpExecArray | undefined} */ match) => {
        clearTimeout(late)
        listeners.delete(look)
        resolve(match)
      }
      const late = setTimeout(() => settle(undefined), timeoutMs)
      listeners.add(look)
      void ended.then(() => settle(undefined))
      look()
    })

  /** @type {Running['stop']} */
  const stop = async (grace = 5000) => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => endGroup(child), grace)
    return ended.finally(() => clearTimeout(timer))
  }
  if (limit !== undefined) {
    const alarm = setTimeout(() => {
      timedOut = true
      void stop()
    }, limit)
    void ended.finally(() => clearTimeout(alarm))
  }
  if (running.size === 0) process.once('exit', endAll)
  running.set(child, { ended, said, stop })
  return { ended, said, stop }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<Ended>} Never rejects.
 */
export const run = (command, args, options) => start(command, args, options).ended

/** Stops every running child, and waits until all have ended. */
export const stopAll = () => Promise.all([...running.values()].map((one) => one.stop()))

/** Kills all running children and their descendants. This is the last step before this process ends. */
function endAll() {
  for (const child of running.keys()) endGroup(child)
}

/** @param {import('node:child_process').ChildProcess} child */
function endGroup(child) {
  if (child.pid === undefined) return
  try {
    if (GROUPS) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // The child has already ended.
  }
}

/**
 * Calls `action` once, when a signal asks this process to end, or when npm has ended without forwarding the signal.
 * @param {() => void} action
 */
export function onEnd(action) {
  let hasEnded = false
  const end = () => {
    if (!hasEnded) action()
    hasEnded = true
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end)
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) end()
  }, 500).unref()
}
