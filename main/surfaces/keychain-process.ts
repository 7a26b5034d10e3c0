import { utilityProcess } from 'electron'
import { findSessionBus } from '../dbus/session-bus.ts'

/** For the session bus, the Secret Service, libsecret and (`LD_LIBRARY_PATH`) an AppImage's libraries. */
const NEEDED = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'HOME',
  'DISPLAY',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'LD_LIBRARY_PATH',
]

/**
 * A utility process, which Chromium ends with the app. The fuses forbid `child_process.fork`, and the script may be in
 * the archive (Electron: Fuses, runAsNode; utilityProcess.fork).
 */
export function forkKeychain(script: string, env: NodeJS.ProcessEnv) {
  const needed: NodeJS.ProcessEnv = { ...env, DBUS_SESSION_BUS_ADDRESS: findSessionBus(env) }
  const child = utilityProcess.fork(script, [], {
    serviceName: 'Latchkey Keychain',
    // SECURITY: the child only gets the environment variables that the keychain needs, and its output is not read.
    env: Object.fromEntries(NEEDED.flatMap((name) => (needed[name] === undefined ? [] : [[name, needed[name]]]))),
    stdio: 'ignore',
  })
  let hasEnded = false
  child.once('exit', () => {
    hasEnded = true
  })
  /** Ends the child, which ignores SIGTERM. Returns false if it has no process id yet. */
  const end = (): boolean => {
    const { pid } = child
    try {
      if (pid !== undefined && !hasEnded) process.kill(pid, 'SIGKILL')
    } catch {
      // It has just ended, and its `exit` event follows.
    }
    return child.kill()
  }
  const kept: unknown[] = []
  const keep = (message: unknown) => void kept.push(message)
  child.on('message', keep)
  return {
    send(message: unknown): void {
      // Electron may crash on a message to a child that has ended (electron/electron#53293).
      if (!hasEnded) child.postMessage(message)
    },
    onMessage(hear: (message: unknown) => void): void {
      child.off('message', keep)
      child.on('message', hear)
      // The messages are delivered when this call has returned and the caller is ready for them.
      queueMicrotask(() => {
        for (const message of kept.splice(0)) hear(message)
      })
    },
    onExit(hear: () => void): void {
      if (hasEnded) queueMicrotask(hear)
      else child.once('exit', () => hear())
    },
    kill(): void {
      // The child can't be killed before it has a process id (electron/electron#44009).
      if (!end() && !hasEnded) child.once('spawn', end)
    },
  }
}
