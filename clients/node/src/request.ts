/** A larger body isn't kept, so it can't be sent again. */
const MOST_BYTES = 16 * 1_024 * 1_024

/** What `fetch(request, init)` would send. */
export async function initOf(request: Request, init: RequestInit): Promise<RequestInit> {
  const { method, headers, redirect, referrer, referrerPolicy, integrity, keepalive, cache, credentials } = request
  const signal = init.signal ?? request.signal
  const own = { method, headers, redirect, referrer, referrerPolicy, integrity, keepalive, cache, credentials, signal }
  if (init.body !== undefined && init.body !== null) return { ...own, ...init }
  const body = await bodyOf(request, signal)
  return { ...own, ...init, ...(body === undefined ? {} : { body, duplex: 'half' as const }) }
}

async function bodyOf(
  request: Request,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream | undefined> {
  if (request.bodyUsed) throw new TypeError('the body of this request has already been read')
  if (request.body === null) return undefined
  const reader = request.body.getReader()
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    while (size <= MOST_BYTES) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return new Uint8Array(Buffer.concat(chunks))
      chunks.push(value)
      size += value.byteLength
    }
    return rejoined(chunks, reader)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function rejoined(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
