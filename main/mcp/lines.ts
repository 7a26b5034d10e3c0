/** The longest message, in bytes. Some tools answer with whole tables. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024

export class MessageTooLong extends Error {
  override message = 'A message is longer than 64 MiB.'
}

const NEWLINE = 10

/** Text after the last newline isn't a message, because its sender was cut off. */
export async function* linesOf(input: AsyncIterable<Uint8Array>, longest = LONGEST_MESSAGE): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
      parts = []
      size = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    size += chunk.length - start
    // SECURITY: a sender that never ends its line must not fill the memory.
    if (size > longest) throw new MessageTooLong()
  }
}

export async function* boundedEvents(
  input: AsyncIterable<Uint8Array>,
  longest = LONGEST_MESSAGE,
): AsyncGenerator<Uint8Array> {
  let size = 0
  /** How many characters of the current line have arrived. An empty line ends the event. */
  let column = 0
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const before = column + end - start
      size = before === 0 || (before === 1 && chunk[end - 1] === 13) ? 0 : size + end - start
      column = 0
      start = end + 1
    }
    column += chunk.length - start
    size += chunk.length - start
    // SECURITY: an endless event must not fill the memory, in which the parser keeps it.
    if (size > longest) throw new MessageTooLong()
    yield chunk
  }
}
