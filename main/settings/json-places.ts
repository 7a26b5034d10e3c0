/** A place in a text as editors show it: line and column start at 1, columns count UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

export type Places =
  /** The place of each key, by its path (`tls.caFiles`). If a key occurs twice, the last counts. */
  | { readonly ok: true; readonly keys: ReadonlyMap<string, Place> }
  /** The first place where the text is not valid JSON. */
  | { readonly ok: false; readonly at: Place }

// The tokens of RFC 8259: the six structural characters, strings, numbers and the three names.
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings contain no control characters
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

const BLANK = /[ \t\n\r]*/y

/**
 * The longest path of keys that is recorded. Every known path is shorter. A problem with a longer path is reported
 * without its place.
 */
const LONGEST_PATH = 300

/** The deepest nesting that is read. No settings file is that deep. The limit prevents a stack overflow. */
const DEEPEST = 100

/** Finds the places of keys and errors in a JSON text, which `JSON.parse` doesn't. */
export function placesIn(text: string): Places {
  const scanner = new Scanner(text)
  try {
    scanner.whole()
    const placeOf = placesOf(text)
    return { ok: true, keys: new Map([...scanner.keys].map(([key, index]) => [key, placeOf(index)])) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { ok: false, at: placesOf(text)(error.index) }
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
  /** Where each key begins. */
  readonly keys = new Map<string, number>()
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
      // SECURITY: an object's name is copied into the path of each key inside it. Without this limit, a small file
      // could use a lot of memory.
      if (lengthOf(inner) <= LONGEST_PATH) this.#note(inner.join('.'), start)
      this.#expect(':')
      this.#value(inner)
    })
  }

  /** If two keys have the same path, the last one counts. `placesOf` needs the keys in the order of the text. */
  #note(key: string, start: number): void {
    this.keys.delete(key)
    this.keys.set(key, start)
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

  /** The beginning of the next token. */
  #start(): number {
    BLANK.lastIndex = this.#index
    BLANK.test(this.#text)
    return BLANK.lastIndex
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

const lengthOf = (path: readonly string[]): number => path.reduce((sum, key) => sum + key.length + 1, -1)

/** Returns a function that computes the place of an index. Call that function with ascending indexes only. */
function placesOf(text: string): (index: number) => Place {
  let line = 1
  let start = 0
  return (index) => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < index; end = text.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    return { line, column: index - start + 1 }
  }
}
