import { existsSync } from 'node:fs'
import path from 'node:path'
import { SetUpError } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { ensureDebianPackages, isDebian, needsFor } from './debian.mjs'

/** On Linux systems that aren't based on Debian. */
const DISPLAY = ['Xvfb']
const TESTS = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool', 'keepassxc', 'xdotool']

/**
 * Makes sure that the system's packages or programs are installed. Does nothing on macOS and Windows.
 * @param {{ display: boolean, tests: boolean }} purpose `display`: for an Xvfb.
 */
export async function ensureSystem(purpose) {
  if (process.platform !== 'linux') return
  if (isDebian()) return ensureDebianPackages(needsFor(purpose))
  const lacking = [...(purpose.display ? DISPLAY : []), ...(purpose.tests ? TESTS : [])].filter((name) => !onPath(name))
  if (lacking.length === 0) return
  throw new SetUpError(`Install these programs with your system's package manager: ${lacking.join(', ')}`)
}

/**
 * Throws an error that names the libraries that are missing for Electron or the keychain module.
 * @param {string} electron The executable.
 */
export async function checkLibraries(electron) {
  if (process.platform !== 'linux' || !onPath('ldd')) return
  const keychain = inProject('node_modules', 'keytar', 'prebuilds', `linux-${process.arch}`, 'keytar.node')
  const { output } = await run('ldd', [electron, keychain])
  const missing = [...new Set([...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name))]
  if (missing.length === 0) return
  throw new SetUpError(`Electron can't start: libraries are missing: ${missing.join(', ')}.
Install them with your system's package manager.`)
}

/** @param {string} name */
const onPath = (name) =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))
