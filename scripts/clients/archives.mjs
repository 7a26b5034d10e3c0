/** Reproducible archives: the same content gives the same bytes. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { pack } from 'tar-stream'

/** @typedef {{ readonly name: string, readonly content: Buffer }} Entry `name`: its path in the archive. */

/** The earliest date in a ZIP, which has no time zones. */
const ZIP_EPOCH = new Date(1980, 0, 1)
const TAR_EPOCH = new Date('1980-01-01T00:00:00Z')

/** @param {readonly Entry[]} entries */
export async function tarGz(entries) {
  const archive = pack()
  for (const { name, content } of entries) archive.entry({ name, mode: 0o644, mtime: TAR_EPOCH }, content)
  archive.finalize()
  /** @type {Buffer[]} */
  const blocks = []
  for await (const block of archive) blocks.push(block)
  return gzipSync(Buffer.concat(blocks), { level: 9 })
}

/** @param {readonly Entry[]} entries */
export function zip(entries) {
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
export function recordOf(entries, own) {
  const lines = entries.map(({ name, content }) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${name},sha256=${hash},${content.length}`
  })
  return Buffer.from(`${[...lines, `${own},,`].join('\n')}\n`)
}
