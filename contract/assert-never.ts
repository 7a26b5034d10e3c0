/** Ends a switch over a closed union: a new member does not compile. */
export function assertNever(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`)
}
