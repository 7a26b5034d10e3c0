/** In Node 20, `URL.canParse` refuses hosts with an umlaut after some thousand calls, when V8 compiles its caller. */
export function urlOf(address: string, base?: URL): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}
