import { existsSync, readFileSync } from 'node:fs'
import { print, step, UnavailableError } from '../run/command.mjs'
import { run } from '../run/process.mjs'

/** @typedef {readonly string[]} Need One package's names, the newest first (`t64` in Debian 13 and Ubuntu 24.04). */

/** A bar joins the names of one package. */
const needs = (/** @type {string} */ text) => text.split(/\s+/).map((each) => each.split('|'))

const ELECTRON = needs(`libgtk-3-0t64|libgtk-3-0 libnss3 libasound2t64|libasound2 libgbm1
  libatk-bridge2.0-0t64|libatk-bridge2.0-0 libcups2t64|libcups2 libdrm2 libxkbcommon0 libsecret-1-0`)
const DISPLAY = needs('xvfb')
const TESTS = [
  ...needs('dbus gnome-keyring libsecret-tools keepassxc xdotool xclip xfce4-panel'),
  // The command line: shells, programs that check and show the man page, and those in the documented snippets.
  // `latchkey ssh` needs a client and a server.
  ...needs(
    'curl busybox shellcheck mandoc groff-base zsh fish tcsh python3 python3-httpx openssh-client openssh-server',
  ),
  // The client libraries: the languages, the packages that the libraries extend, and the programs in
  // docs/users/recipes.
  ...needs(`python3-requests python3-pandas python3-sqlalchemy python3-psycopg2 python3-asyncpg python3-pymysql
    python3-mysqldb python3-pyodbc python3-trio python3-keyring python3-jupyter-client python3-ipykernel python3-pip
    python3-venv r-base-core r-cran-httr2 r-cran-jsonlite rclone libreoffice-calc python3-uno`),
  // A proxy that asks for Kerberos tickets.
  ...needs('krb5-kdc krb5-admin-server krb5-user squid'),
  // A browser to sign in with, and identity providers to sign in at, with what their portals load.
  ...needs(`chromium glewlwyd liblemonldap-ng-portal-perl lemonldap-ng-fastcgi-server starman libgd-perl
    libgd-securityimage-perl libimage-magick-perl libstring-random-perl libcrypt-openssl-bignum-perl
    libcrypt-openssl-x509-perl libconvert-base32-perl libio-string-perl libmime-tools-perl libemail-sender-perl`),
  // electron-builder's archives, and a desktop entry to start.
  ...needs('p7zip-full libgtk-3-bin'),
]

/**
 * @param {{ display: boolean, tests: boolean }} purpose
 * @returns {readonly Need[]}
 */
export const needsFor = ({ display, tests }) => [...ELECTRON, ...(display ? DISPLAY : []), ...(tests ? TESTS : [])]

/** True for Ubuntu and other derivatives, too. */
export function isDebian() {
  if (!existsSync('/etc/os-release')) return false
  return /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/**
 * Installs missing packages as root. Other users get an error with the command to install them.
 * @param {readonly Need[]} needs
 */
export async function ensureDebianPackages(needs) {
  const names = needs.flat()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
  const format = '-f=${Package} ${db:Status-Status}\\n'
  // If dpkg-query doesn't know a name, it fails, but still prints the others.
  const query = await run('dpkg-query', ['-W', format, ...names])
  const installed = new Set(query.output.split('\n').map((line) => /^(\S+) installed$/.exec(line)?.[1]))
  const lacking = needs.filter((need) => !need.some((name) => installed.has(name)))
  if (lacking.length === 0) return

  const root = process.getuid?.() === 0
  if (root) await apt('Reading the package lists (apt-get update)', ['update'])
  const policy = await run('apt-cache', ['policy', ...lacking.flat()], { env: { LC_ALL: 'C' } })
  const chosen = lacking.map((need) => nameOf(need, policy.output))
  if (!root) {
    throw new UnavailableError(`Packages are missing on this system. Install them with:

  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${chosen.join(' ')}
`)
  }
  print(`Packages missing on this system: ${chosen.join(', ')}`)
  await apt('Installing them (apt-get install)', ['install', '-y', '--no-install-recommends', ...chosen])
}

/**
 * The package's name in this release; its oldest name if the lists have none.
 * @param {Need} need
 * @param {string} policy The output of `apt-cache policy`: it lists a virtual package without a candidate.
 */
function nameOf(need, policy) {
  const has = (/** @type {string} */ name) => {
    const from = `\n${policy}`.indexOf(`\n${name}:\n`)
    return from >= 0 && /Candidate: (?!\(none\))/.test(policy.slice(from, policy.indexOf('Version table', from)))
  }
  return need.find(has) ?? need.at(-1) ?? ''
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
async function apt(name, args) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2']
  const { code, output } = await step(name, () => run('apt-get', [...patient, ...args], { env, limit: 15 * 60_000 }))
  if (code !== 0) {
    throw new UnavailableError(`${output.trim()}\nThe system's packages could not be installed: apt-get failed.`)
  }
}
