import type { IncomingMessage } from 'node:http'

/** The size that a request announces for its body. */
export const announcedSize = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/**
 * Passes the request's body to the callback, or `undefined` if it exceeds `most` bytes. If the tool hangs up, the
 * callback is not called.
 */
export function readBody(request: IncomingMessage, most: number, then: (body: Buffer | undefined) => void): void {
  let left = most
  if (Number(request.headers['content-length'] ?? 0) > left) {
    then(undefined)
    return
  }
  const chunks: Buffer[] = []
  const onData = (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0) {
      chunks.push(chunk)
      return
    }
    request.off('data', onData).off('end', onEnd).pause()
    then(undefined)
  }
  const onEnd = () => then(Buffer.concat(chunks))
  request.on('data', onData).on('end', onEnd)
}
