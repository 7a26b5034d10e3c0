/** What of an IPC event tells who sent it. */
export interface SenderEvent<Contents> {
  readonly sender: Contents
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

/**
 * Whether a message is ours: from our window, from its main frame, and from our page.
 * SECURITY: a frame without an address, or none at all (it has gone), is a no (Electron's security guide, 17).
 */
export function isOurs<Contents>(event: SenderEvent<Contents>, ours: Contents | undefined, origin: string): boolean {
  const { sender, senderFrame } = event
  if (ours === undefined || sender !== ours || senderFrame === null || senderFrame.parent !== null) return false
  return originOf(senderFrame.url) === origin
}

function originOf(address: string): string | undefined {
  try {
    const { protocol, host, username, password } = new URL(address)
    return username === '' && password === '' ? `${protocol}//${host}` : undefined
  } catch {
    return undefined
  }
}
