import type { IncomingMessage } from 'node:http'
import type { Limits } from './limits.ts'

/** The size that a request announces for its body. */
export const announcedSize = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/**
 * Passes the request's body to the callback, or the reason why there is none: it exceeds `body` bytes, or takes longer
 * than `arrival`. If the tool hangs up, the callback is not called.
 */
export function readBody(
  request: IncomingMessage,
  limits: Pick<Limits, 'body' | 'arrival'>,
  then: (body: Buffer | 'request_too_large' | 'request_timeout') => void,
): void {
  let left = limits.body
  if (Number(request.headers['content-length'] ?? 0) > left) {
    then('request_too_large')
    return
  }
  const chunks: Buffer[] = []
  const stop = () => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', stop).pause()
  }
  const onData = (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0) {
      chunks.push(chunk)
      return
    }
    stop()
    then('request_too_large')
  }
  const onEnd = () => {
    stop()
    then(Buffer.concat(chunks))
  }
  const timer = setTimeout(() => {
    stop()
    then('request_timeout')
  }, limits.arrival)
  request.on('data', onData).on('end', onEnd).on('close', stop)
}
