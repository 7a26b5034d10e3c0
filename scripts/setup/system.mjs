import { existsSync } from 'node:fs'
import { print, step, UnavailableError } from '../run/command.mjs'
import { run } from '../run/process.mjs'

/** Names joined with a bar are names of one package: Debian 13 and Ubuntu 24.04 appended t64 to some. */
const needs = (/** @type {string} */ text) => text.split(/\s+/).map((each) => each.replace('|', ' | '))

const ELECTRON = needs(`libgtk-3-0t64|libgtk-3-0 libnss3 libasound2t64|libasound2 libgbm1
  libatk-bridge2.0-0t64|libatk-bridge2.0-0 libcups2t64|libcups2 libdrm2 libxkbcommon0 libsecret-1-0`)
const DISPLAY = needs('xvfb xauth')
const TESTS = [
  ...needs('dbus gnome-keyring libsecret-tools keepassxc xdotool xclip xfce4-panel'),
  // The command line: the shells, the programs for man page and snippets; for `latchkey ssh`, a client and a server.
  ...needs(
    'curl busybox shellcheck mandoc groff-base zsh fish tcsh python3 python3-httpx openssh-client openssh-server',
  ),
  // The client libraries: the languages, the packages that the libraries extend, and docs/users/recipes.
  ...needs(`python3-requests python3-pandas python3-sqlalchemy python3-psycopg2 python3-asyncpg python3-pymysql
    python3-mysqldb python3-pyodbc python3-trio python3-keyring python3-jupyter-client python3-ipykernel python3-pip
    python3-venv r-base-core r-cran-httr2 r-cran-jsonlite rclone libreoffice-calc python3-uno
    default-jdk-headless|openjdk-17-jdk-headless`),
  // A proxy that asks for Kerberos tickets.
  ...needs('krb5-kdc krb5-admin-server krb5-user squid'),
  // The browser for signing in, and an identity provider to sign in at.
  ...needs('chromium glewlwyd'),
  // electron-builder's archives, and starting a desktop entry.
  ...needs('p7zip-full libgtk-3-bin'),
]

/** @param {{ display: boolean, tests: boolean }} purpose See `ensureSystem`. */
export const needsFor = ({ display, tests }) => [...ELECTRON, ...(display ? DISPLAY : []), ...(tests ? TESTS : [])]

/** @param {{ display: boolean, tests: boolean }} purpose `display`: an Xvfb will be started. */
export const ensureSystem = (purpose) => ensureDebianPackages(needsFor(purpose))

/** Installs missing packages as root, and otherwise throws the command for it. @param {readonly string[]} needs */
export async function ensureDebianPackages(needs) {
  if (!existsSync('/usr/bin/apt-get')) return
  const names = needs.flatMap((need) => need.split(' | '))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = '-f=${Package} ${db:Status-Status}\\n'
  // If dpkg-query doesn't know a name, it fails but still prints the state of the other packages.
  const query = await run('dpkg-query', ['-W', format, ...names])
  const installed = new Set(query.output.split('\n').map((line) => /^(\S+) installed$/.exec(line)?.[1]))
  const lacking = needs.filter((need) => !need.split(' | ').some((name) => installed.has(name))).join(', ')
  if (lacking === '') return
  if (process.getuid?.() !== 0) {
    throw new UnavailableError(`Packages are missing on this system. Install them with:

  sudo apt-get update && sudo apt-get satisfy -y --no-install-recommends '${lacking}'
`)
  }
  print(`Packages missing on this system: ${lacking}`)
  await apt('Reading the package lists (apt-get update)', ['update'])
  await apt('Installing them (apt-get satisfy)', ['satisfy', '-y', '--no-install-recommends', lacking])
}

/** @param {string} name @param {readonly string[]} args */
async function apt(name, args) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2']
  const { code, output } = await step(name, () => run('apt-get', [...patient, ...args], { env, limit: 15 * 60_000 }))
  if (code !== 0) {
    throw new UnavailableError(`${output.trim()}\nThe system's packages could not be installed: apt-get failed.`)
  }
}
