import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'

/** How much of a body is kept, so that it can be sent again with a renewed token. */
const MOST_KEPT = 1_024 * 1_024

export class RequestBody {
  readonly #request: IncomingMessage
  /** `undefined` if the body is too long to be sent again. */
  #kept: Buffer[] | undefined = []
  #size = 0
  #isComplete = false
  #target: Writable | undefined

  constructor(request: IncomingMessage) {
    this.#request = request
    request.pause()
    request.on('data', (chunk: Buffer) => this.#arrived(chunk))
    request.on('end', () => {
      this.#isComplete = true
      this.#target?.end()
    })
  }

  get mayRepeat(): boolean {
    return this.#kept !== undefined
  }

  /** Sends the body from its beginning. If it is too long to be kept, this works only once. */
  sendTo(target: Writable): void {
    this.#target = target
    for (const chunk of this.#kept ?? []) target.write(chunk)
    if (this.#isComplete) target.end()
    else this.#request.resume()
    target.on('drain', () => this.#isFor(target) && this.#request.resume())
    // If the service responds early, the rest of the body is dropped, because the tool's next request comes after it.
    target.on('close', () => this.#isFor(target) && this.#request.resume())
  }

  hold(): void {
    this.#target = undefined
    this.#request.pause()
  }

  #isFor(target: Writable): boolean {
    return this.#target === target
  }

  #arrived(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MOST_KEPT) this.#kept = undefined
    this.#kept?.push(chunk)
    const target = this.#target
    if (target !== undefined && !target.destroyed && !target.write(chunk)) this.#request.pause()
  }
}
