import { existsSync, readFileSync } from 'node:fs'
import { inProject } from './run/project.mjs'

/** Libraries depend on these type declarations and on a compiler. */
const NEVER_DELIVERED = /(^|\/)node_modules\/@(types|typescript)\//

const read = (/** @type {string} */ file) => JSON.parse(readFileSync(inProject(file), 'utf8'))

/**
 * The entries of the lock file for Electron and the production dependencies.
 * @returns {[string, { name?: string, version: string, dev?: boolean, devOptional?: boolean }][]}
 */
export const delivered = () =>
  Object.entries(read('package-lock.json').packages).filter(
    ([folder, { dev, devOptional }]) => folder === 'node_modules/electron' || (folder !== '' && !dev && !devOptional),
  )

/** @returns {{ name: string, version: string, licence: string, repository?: string }[]} The packages that ship. */
export function licences() {
  const inside = delivered()
    .filter(([folder]) => !NEVER_DELIVERED.test(folder))
    // Optional packages for other systems aren't installed.
    .filter(([folder]) => existsSync(inProject(folder, 'package.json')))
    .map(([folder]) => entry(read(`${folder}/package.json`)))
  const byName = new Map(inside.map((each) => [`${each.name} ${each.version}`, each]))
  return [...byName.values()].sort((one, two) => one.name.localeCompare(two.name, 'en'))
}

/** @param {{ name: string, version: string, license?: string, repository?: string | { url: string } }} manifest */
function entry({ name, version, license, repository }) {
  if (typeof license !== 'string') throw new Error(`${name} doesn't name its licence`)
  const address = typeof repository === 'string' ? repository : repository?.url
  return { name, version, licence: license, ...(address === undefined ? {} : { repository: readable(address) }) }
}

/** A bare `owner/name` is on GitHub. @param {string} address */
const readable = (address) =>
  address
    .replace(/^(git\+)?(\w+:\/\/)?([^@/]+@)?/, '')
    .replace(/\.git$/, '')
    .replace(/^github:|^(?=[^/.:]+\/[^/]+$)/, 'github.com/')
    .replace(':', '/')
