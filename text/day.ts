/** The day of a time in milliseconds since the epoch, such as `2026-01-31`; `undefined` for what isn't a time. */
export const isoDay = (at: number): string | undefined =>
  Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined
