/** The build inserts the list (`scripts/licences.mjs`). */

export interface Licence {
  readonly name: string
  readonly version: string
  /** As an SPDX expression. */
  readonly licence: string
  readonly repository?: string
}

declare const __LICENCES__: readonly Licence[]

export const licences: readonly Licence[] = __LICENCES__
