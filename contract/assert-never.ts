/** Ends a switch over a closed union, so that an unhandled member fails to compile. */
export function assertNever(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`)
}
