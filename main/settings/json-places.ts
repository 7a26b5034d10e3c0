/** A place in a text as editors count it: both from 1, columns in UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

export type Places =
  /** Where each key stands, those within another by their path (`tls.caFiles`); of one that is there twice, the last. */
  | { readonly ok: true; readonly keys: ReadonlyMap<string, Place> }
  /** The first place where it stops being JSON. */
  | { readonly ok: false; readonly at: Place }

// RFC 8259: the six structural characters, strings, numbers and the three names.
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: strings of JSON hold none
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Deeper than any settings file: the stack has an end. */
const DEEPEST = 100

/** Tells where things stand in a JSON text, which `JSON.parse` doesn't. */
export function placesIn(text: string): Places {
  const scanner = new Scanner(text)
  try {
    scanner.whole()
    return { ok: true, keys: scanner.keys }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { ok: false, at: placeOf(text, error.index) }
  }
}

class NotJson extends Error {
  readonly index: number

  constructor(index: number) {
    super('not JSON')
    this.index = index
  }
}

class Scanner {
  readonly keys = new Map<string, Place>()
  readonly #text: string
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): void {
    this.#value([])
    const rest = this.#start()
    if (rest < this.#text.length) throw new NotJson(rest)
  }

  #value(path: readonly string[]): void {
    const start = this.#start()
    const token = this.#next()
    if (token === '{' && path.length < DEEPEST) this.#members(path)
    else if (token === '[' && path.length < DEEPEST) this.#list(']', () => this.#value([...path, '[]']))
    else if (/^[{}[\],:]$/.test(token)) throw new NotJson(start)
  }

  #members(path: readonly string[]): void {
    this.#list('}', () => {
      const start = this.#start()
      const token = this.#next()
      if (!token.startsWith('"')) throw new NotJson(start)
      const inner = [...path, JSON.parse(token) as string]
      this.keys.set(inner.join('.'), placeOf(this.#text, start))
      this.#expect(':')
      this.#value(inner)
    })
  }

  #list(end: string, element: () => void): void {
    if (this.#peek() === end) return void this.#next()
    for (;;) {
      element()
      if (this.#peek() === end) return void this.#next()
      this.#expect(',')
    }
  }

  #expect(character: string): void {
    const start = this.#start()
    if (this.#next() !== character) throw new NotJson(start)
  }

  /** Where the next token begins. */
  #start(): number {
    const [blank = ''] = /^[ \t\n\r]*/.exec(this.#text.slice(this.#index)) ?? []
    return this.#index + blank.length
  }

  #peek(): string {
    return this.#text.charAt(this.#start())
  }

  #next(): string {
    const start = this.#start()
    TOKEN.lastIndex = start
    const found = TOKEN.exec(this.#text)
    if (found === null) throw new NotJson(start)
    this.#index = TOKEN.lastIndex
    return found[0]
  }
}

function placeOf(text: string, index: number): Place {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
