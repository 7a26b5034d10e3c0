import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'

export const LARGEST_RESPONSE_BYTES = 256 * 1024
export const TOO_LARGE = 'answer over 256 KiB'

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/** `deflate` means zlib's format (RFC 9110 section 8.4.1.2), but some servers leave out zlib's header. */
function inflated(body: Uint8Array, options: ZlibOptions): Uint8Array {
  try {
    return inflateSync(body, options)
  } catch (error) {
    if (isTooLarge(error)) throw error
    return inflateRawSync(body, options)
  }
}

/** The bytes of a gzip header without optional fields (RFC 1952 section 2.3). */
const GZIP_HEADER_BYTES = 10

/** Decompresses gzip even if further bytes follow. Node refuses them, and a new refresh token could be lost. */
function unzipped(body: Uint8Array, options: ZlibOptions): Uint8Array {
  try {
    return gunzipSync(body, options)
  } catch (error) {
    if (isTooLarge(error) || body[3] !== 0) throw error
    return inflateRawSync(body.subarray(GZIP_HEADER_BYTES), options)
  }
}

const DECODERS: { readonly [encoding: string]: (body: Uint8Array, options: ZlibOptions) => Uint8Array } = {
  gzip: unzipped,
  'x-gzip': unzipped,
  deflate: inflated,
  br: brotliDecompressSync,
}
/** Encodings that can't be decoded. A word that is neither here nor in `DECODERS` means that nothing is encoded. */
const UNKNOWN: ReadonlySet<string> = new Set(['zstd', 'compress', 'x-compress', 'dcb', 'dcz'])
const MOST_ENCODINGS = 3

/** Some gateways compress although the request forbids it. Others announce an encoding that they didn't use. */
export function decoded(contentEncoding: string, body: Uint8Array) {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => Object.hasOwn(DECODERS, each) || UNKNOWN.has(each))
  if (encodings.length === 0 || body.length === 0) return { body }
  try {
    if (encodings.length > MOST_ENCODINGS) throw new Error('too many encodings')
    // SECURITY: the limit holds for the decompressed content, too.
    const options = { maxOutputLength: LARGEST_RESPONSE_BYTES }
    const content = encodings.reduceRight((bytes, each) => {
      const decode = DECODERS[each]
      if (decode === undefined) throw new Error('unknown encoding')
      return decode(bytes, options)
    }, body)
    return { body: content }
  } catch (error) {
    if (isTooLarge(error)) return { body: new Uint8Array(), defect: TOO_LARGE }
    // Compressed content isn't valid UTF-8, so valid UTF-8 was never compressed.
    return isUtf8(body) ? { body } : { body: new Uint8Array(), defect: 'content encoding' }
  }
}
