import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { pack } from 'tar-stream'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'

/**
 * Packs the client libraries: a wheel, an R source package, an npm tarball. Needs none of the languages, so every
 * system can do it.
 * @typedef {{ readonly name: string, readonly content: Buffer }} Entry `name`: its path in the archive.
 */

/** @param {string} [output] */
export async function buildClients(output = inProject('out', 'clients')) {
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  const archives = { ...(await python()), ...(await r()), ...(await node()) }
  for (const [name, content] of Object.entries(archives)) await writeFile(path.join(output, name), content)
  return { code: 0, output: Object.keys(archives).join('\n') }
}

/** The formats: https://packaging.python.org/specifications/. */
async function python() {
  const folder = inProject('clients', 'python')
  const project = await readFile(path.join(folder, 'pyproject.toml'), 'utf8')
  const value = (/** @type {string} */ key) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(project)?.[1] ?? ''
  const version = value('version')
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8')
  const license = await readFile(inProject('LICENSE'))
  const metadata = Buffer.from(
    `Metadata-Version: 2.1
Name: ${value('name')}
Version: ${version}
Summary: ${value('description')}
License: MIT
Requires-Python: ${value('requires-python')}
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${readme}`,
  )
  const sources = await filesIn(folder, 'latchkey_desktop')
  const stem = `latchkey_desktop-${version}`
  const info = `${stem}.dist-info`
  const wheel = 'Wheel-Version: 1.0\nGenerator: latchkey\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
  const entries = [
    ...sources,
    { name: `${info}/METADATA`, content: metadata },
    { name: `${info}/WHEEL`, content: Buffer.from(wheel) },
    { name: `${info}/LICENSE`, content: license },
    { name: `${info}/entry_points.txt`, content: Buffer.from(entryPoints(project)) },
  ]
  const record = { name: `${info}/RECORD`, content: recordOf(entries, `${info}/RECORD`) }
  return { [`${stem}-py3-none-any.whl`]: zip([...entries, record]) }
}

/** A project's entry points, as an INI file. @param {string} project */
const entryPoints = (project) =>
  [...project.matchAll(/^\[project\.entry-points\."(.+)"\]\n((?:.+\n)+)/gm)]
    .map(([, group, lines = '']) => `[${group}]\n${lines.replaceAll('"', '')}`)
    .join('\n')

async function r() {
  const folder = inProject('clients', 'r')
  const description = await readFile(path.join(folder, 'DESCRIPTION'), 'utf8')
  const version = /^Version: (.*)$/m.exec(description)?.[1]
  return { [`latchkeydesktop_${version}.tar.gz`]: await tarGz(below('latchkeydesktop', await filesIn(folder))) }
}

async function node() {
  const folder = inProject('clients', 'node')
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const built = await mkdtemp(path.join(tmpdir(), 'latchkey-node-'))
  const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc')
  const options = ['-p', folder, '--noEmit', 'false', '--outDir', path.join(built, 'dist')]
  const { code, output } = await run(process.execPath, [tsc, ...options])
  if (code !== 0) throw new Error(`clients/node can't be built:\n${output}`)
  const entries = [
    ...(await filesIn(folder, 'package.json')),
    ...(await filesIn(folder, 'README.md')),
    ...(await filesIn(built, 'dist')),
    { name: 'LICENSE', content: await readFile(inProject('LICENSE')) },
  ]
  await rm(built, { recursive: true })
  return { [`latchkey-desktop-${version}.tgz`]: await tarGz(below('package', entries)) }
}

/** @param {string} folder @param {readonly Entry[]} entries */
const below = (folder, entries) => entries.map(({ name, content }) => ({ name: `${folder}/${name}`, content }))

/**
 * A file, or all files of a folder except Python's compiled ones, with their paths below `root`.
 * @param {string} root
 * @param {string} [name]
 * @returns {Promise<Entry[]>}
 */
async function filesIn(root, name = '') {
  const at = path.join(root, name)
  const inside = await readdir(at, { withFileTypes: true }).catch(() => undefined)
  if (inside === undefined) return [{ name, content: await readFile(at) }]
  const names = inside.map((each) => each.name).filter((each) => each !== '__pycache__')
  const files = await Promise.all(names.sort().map((each) => filesIn(root, path.posix.join(name, each))))
  return files.flat()
}

/** The earliest date in a ZIP, which has no time zones. */
const ZIP_EPOCH = new Date(1980, 0, 1)
const TAR_EPOCH = new Date('1980-01-01T00:00:00Z')

/** @param {readonly Entry[]} entries */
async function tarGz(entries) {
  const archive = pack()
  for (const { name, content } of entries) archive.entry({ name, mode: 0o644, mtime: TAR_EPOCH }, content)
  archive.finalize()
  /** @type {Buffer[]} */
  const blocks = []
  for await (const block of archive) blocks.push(block)
  return gzipSync(Buffer.concat(blocks), { level: 9 })
}

/** @param {readonly Entry[]} entries */
function zip(entries) {
  // Says that the entry was made on Unix: otherwise unzip would ignore its file mode.
  const options = { mtime: ZIP_EPOCH, os: 3, attrs: 0o100644 << 16 }
  /** @type {Parameters<typeof zipSync>[0]} */
  const files = Object.fromEntries(entries.map(({ name, content }) => [name, [content, options]]))
  return Buffer.from(zipSync(files, { level: 9 }))
}

/**
 * A wheel's RECORD: each file with its hash and size.
 * https://packaging.python.org/specifications/binary-distribution-format/
 * @param {readonly Entry[]} entries
 * @param {string} own The path of the RECORD itself.
 */
function recordOf(entries, own) {
  const lines = entries.map(({ name, content }) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${name},sha256=${hash},${content.length}`
  })
  return Buffer.from(`${[...lines, `${own},,`].join('\n')}\n`)
}
