/** The date of a time in milliseconds since the epoch, such as `2026-01-31`. `undefined` if the time isn't a number. */
export const isoDay = (at: number): string | undefined =>
  Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined
