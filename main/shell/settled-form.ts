import type { Clock, Marker } from '../session/ports.ts'
import { within } from '../session/within.ts'

/** How long a page waits for the keychain's word, at most: milliseconds. */
const PATIENCE = 100

interface Expectations {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** What is remembered of the session that the window will show. */
  readonly marker: Marker | undefined
  /** Resolves when it is known what became of that session. */
  readonly restored: () => Promise<void>
}

/**
 * Resolves when the sign-in form is known to be what the window shows, or isn't for so long that it may as well come later.
 * At once where a session was stored: what comes of that the service will say, and no page waits for it.
 */
export async function settledForm({ clock, marker, restored }: Expectations): Promise<void> {
  if (marker === undefined) await within(clock, PATIENCE, restored(), undefined)
}
