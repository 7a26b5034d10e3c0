import type { ToolUse } from './views.ts'

/** A tool that got a token within this time will probably ask again. */
const RECENT_MS = 10 * 60_000

/** The tools that a sign-out would probably affect. `now`: milliseconds since the epoch. */
export const recentUses = (uses: readonly ToolUse[], now: number): readonly ToolUse[] =>
  uses.filter(({ lastAt, isListening }) => isListening || now - lastAt < RECENT_MS)
