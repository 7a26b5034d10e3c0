/** Reproducible archives: the same content gives the same bytes. */
import { createHash } from 'node:crypto'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** @typedef {{ readonly name: string, readonly content: Buffer }} Entry A file, by its path in the archive. */

/** 1980-01-01, the earliest date that ZIP can express. */
const EPOCH_S = 315_532_800
const DOS_DATE = 0x21

/**
 * A tar archive in the format ustar (POSIX.1-1988), gzipped.
 * @param {readonly Entry[]} entries
 */
export function tarGz(entries) {
  const blocks = entries.flatMap(({ name, content }) => [header(name, content.length), padded(content)])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]), { level: 9 })
}

/** @param {string} name @param {number} size */
function header(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`too long for a tar file: ${name}`)
  const block = Buffer.alloc(512)
  const octal = (/** @type {number} */ value, /** @type {number} */ at, /** @type {number} */ length) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  block.write(name, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(EPOCH_S, 136, 12)
  block.fill(' ', 148, 156)
  block.write('0', 156)
  block.write('ustar\u000000', 257, 'latin1')
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

/** @param {Buffer} content */
const padded = (content) => Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)])

/**
 * A ZIP archive (APPNOTE.TXT 4.3).
 * @param {readonly Entry[]} entries
 */
export function zip(entries) {
  /** @type {Buffer[]} */
  const files = []
  /** @type {Buffer[]} */
  const directory = []
  let offset = 0
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content, { level: 9 })
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    // The fields of the header: version 2.0, names in UTF-8, method deflate.
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(DOS_DATE, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(path.length, 22)
    files.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, path, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    // The entry says that it was made on Unix. Otherwise unzip would ignore the file mode.
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), common, rest, path)
    offset += 4 + common.length + path.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
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
