import type { IncomingMessage } from 'node:http'

/**
 * Passes the request's body to the callback, or `undefined` if head and body together exceed `most` bytes. If the tool
 * hangs up, the callback is not called.
 */
export function readBody(request: IncomingMessage, most: number, then: (body: Buffer | undefined) => void): void {
  let left = most - headSize(request)
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

/** The size of the head on the wire: the request line, and each header with its colon, space and line break. */
function headSize({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const line = method.length + url.length + ' '.length + ' HTTP/1.1\r\n\r\n'.length
  return rawHeaders.reduce((size, text) => size + text.length + ': '.length, line)
}
