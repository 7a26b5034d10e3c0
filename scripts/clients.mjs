import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { pack } from 'tar-stream'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'

/** @typedef {{ readonly name: string, readonly content: Buffer }} Entry `name`: its path in the archive. */

/** A wheel, an R source package, an npm tarball. Needs none of the languages, so every system can do it. */
export async function buildClients(output = inProject('out', 'clients')) {
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  const archives = { ...(await python()), ...(await r()), ...(await node()) }
  for (const [name, content] of Object.entries(archives)) await writeFile(path.join(output, name), content)
}

/** The formats: https://packaging.python.org/specifications/. */
async function python() {
  const folder = inProject('clients', 'python')
  const project = await readFile(path.join(folder, 'pyproject.toml'), 'utf8')
  const value = (/** @type {string} */ key) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(project)?.[1] ?? ''
  const version = value('version')
  const metadata = `Metadata-Version: 2.1
Name: ${value('name')}
Version: ${version}
Summary: ${value('description')}
License: MIT
Requires-Python: ${value('requires-python')}
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${await readFile(path.join(folder, 'README.md'), 'utf8')}`
  const entryPoints = [...project.matchAll(/^\[project\.entry-points\."(.+)"\]\n((?:.+\n)+)/gm)]
    .map(([, group, lines = '']) => `[${group}]\n${lines.replaceAll('"', '')}`)
    .join('\n')
  const stem = `latchkey_desktop-${version}`
  const info = {
    METADATA: metadata,
    WHEEL: 'Wheel-Version: 1.0\nGenerator: latchkey\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    LICENSE: await readFile(inProject('LICENSE')),
    'entry_points.txt': entryPoints,
  }
  const entries = [
    ...(await filesIn(folder, 'latchkey_desktop')),
    ...Object.entries(info).map(([name, text]) => ({ name: `${stem}.dist-info/${name}`, content: Buffer.from(text) })),
  ]
  const own = `${stem}.dist-info/RECORD`
  const record = entries.map(({ name, content }) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${name},sha256=${hash},${content.length}\n`
  })
  const list = { name: own, content: Buffer.from(`${record.join('')}${own},,\n`) }
  return { [`${stem}-py3-none-any.whl`]: zip([...entries, list]) }
}

async function r() {
  const folder = inProject('clients', 'r')
  const description = await readFile(path.join(folder, 'DESCRIPTION'), 'utf8')
  const version = /^Version: (.*)$/m.exec(description)?.[1]
  return { [`latchkeydesktop_${version}.tar.gz`]: await tarGz('latchkeydesktop', await filesIn(folder)) }
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
    await fileIn(folder, 'package.json'),
    await fileIn(folder, 'README.md'),
    ...(await filesIn(built)),
    await fileIn(inProject(), 'LICENSE'),
  ]
  await rm(built, { recursive: true })
  return { [`latchkey-desktop-${version}.tgz`]: await tarGz('package', entries) }
}

/** @param {string} root @param {string} name Its path below `root`. @returns {Promise<Entry>} */
const fileIn = async (root, name) => ({ name, content: await readFile(path.join(root, name)) })

/** All files of a folder except Python's compiled ones, with their paths below `root`. @param {string} root */
async function filesIn(root, folder = '') {
  const inside = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
  const names = inside
    .filter((each) => each.isFile() && path.basename(each.parentPath) !== '__pycache__')
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)).replaceAll('\\', '/'))
  return Promise.all(names.sort().map((name) => fileIn(root, name)))
}

/** @param {string} folder The archive's only folder. @param {readonly Entry[]} entries */
async function tarGz(folder, entries) {
  const archive = pack()
  const options = { mode: 0o644, mtime: new Date('1980-01-01T00:00:00Z') }
  for (const { name, content } of entries) archive.entry({ name: `${folder}/${name}`, ...options }, content)
  archive.finalize()
  /** @type {Buffer[]} */
  const blocks = []
  for await (const block of archive) blocks.push(block)
  return gzipSync(Buffer.concat(blocks), { level: 9 })
}

/** @param {readonly Entry[]} entries */
function zip(entries) {
  // A ZIP has no time zones, and no earlier time. `os` is Unix: otherwise unzip would ignore the file mode.
  const options = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 }
  /** @type {Parameters<typeof zipSync>[0]} */
  const files = Object.fromEntries(entries.map(({ name, content }) => [name, [content, options]]))
  return Buffer.from(zipSync(files, { level: 9 }))
}
