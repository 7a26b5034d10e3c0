/** The technical cause of a failure, in words. */

/** A language's words for causes. */
export interface CauseWords {
  /** By error code (`ENOTFOUND`), and by the main process's own short phrases (`connect timeout`). */
  readonly known: Readonly<Record<string, string>>
  /** By the beginning of a phrase that ends in a name or a number (`proxy answered 403`). */
  readonly about: Readonly<Record<string, (rest: string) => string>>
}

const CODE = /^([A-Z][A-Z\d_]+)(?: \((.*)\))?$/

/** An error code stays legible in addition to its words; a cause that isn't listed is shown as it is. */
export function causeInWords({ known, about }: CauseWords, cause: string): string {
  const [, code = cause, reason] = CODE.exec(cause) ?? []
  const words = known[code]
  if (words !== undefined) {
    if (code === cause && !CODE.test(cause)) return words
    return `${words} (${reason === undefined ? code : `${code}: ${reason}`})`
  }
  for (const [beginning, say] of Object.entries(about)) {
    if (cause.startsWith(`${beginning} `)) return say(cause.slice(beginning.length + 1))
  }
  return cause
}
