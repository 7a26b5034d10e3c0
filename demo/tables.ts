/** The description of a table. It has no nested values, so that the rows fit a data frame. */
export interface TableRow {
  readonly table: string
  readonly rows: number
  readonly updated: string
}

/** The sample data, which is invented, and the same at every start. */
export const TABLES: readonly TableRow[] = [
  { table: 'orders', rows: 128_412, updated: '2026-01-05' },
  { table: 'customers', rows: 9_630, updated: '2026-01-05' },
  { table: 'deliveries', rows: 126_977, updated: '2026-01-04' },
  { table: 'returns', rows: 3_208, updated: '2026-01-02' },
]
