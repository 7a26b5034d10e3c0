import type { ToolUse } from './views.ts'

/** A tool that asked for a token within this time is likely to ask again. */
const RECENT_MS = 10 * 60_000

/** The tools that a sign-out would affect. `now`: milliseconds since the epoch. */
export const recentUses = (uses: readonly ToolUse[], now: number): readonly ToolUse[] =>
  uses.filter(({ lastAt }) => now - lastAt < RECENT_MS)
