export interface CauseWords {
  /** The words for an error code (`ENOTFOUND`) or a short phrase (`connect timeout`). */
  readonly known: Readonly<Record<string, string>>
  /** The words for a phrase that ends in a name or a number. The key of `proxy answered 403` is `proxy answered`. */
  readonly about: Readonly<Record<string, (rest: string) => string>>
}

/** Chooses the words for the cause `claim NAME` or `claim NAME FOUND EXPECTED`. */
export const claimWords =
  (wrong: (claim: string) => string, differs: (claim: string, found: string, expected: string) => string) =>
  (rest: string): string => {
    const [claim = '', found, expected] = rest.split(' ')
    return found === undefined || expected === undefined ? wrong(claim) : differs(claim, found, expected)
  }

const CODE = /^([A-Z][A-Z\d_]+)(?: \((.*)\))?$/

/** Returns the cause in words, followed by the error code if there is one. An unknown cause is returned unchanged. */
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
