/** A date that reads the same everywhere (ISO 8601), of milliseconds since the epoch; `undefined` where it is none. */
export const isoDay = (at: number): string | undefined =>
  Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined
