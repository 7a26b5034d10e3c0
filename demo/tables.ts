/** Invented, and without nested values, so that the rows fit a data frame. */
export const TABLES = [
  { table: 'orders', rows: 128_412, updated: '2026-01-05' },
  { table: 'customers', rows: 9_630, updated: '2026-01-05' },
  { table: 'deliveries', rows: 126_977, updated: '2026-01-04' },
  { table: 'returns', rows: 3_208, updated: '2026-01-02' },
] as const
