/** A date in the international format (ISO 8601), from milliseconds since the epoch; `undefined` if it isn't valid. */
export const isoDay = (at: number): string | undefined =>
  Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined
