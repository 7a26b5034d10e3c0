/** What the app contains, by others: a chunk of its own, written by the build (`scripts/licences.mjs`). */

export interface Licence {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly licence: string
  /** Where its source is. */
  readonly repository?: string
}

declare const __LICENCES__: readonly Licence[]

export const licences: readonly Licence[] = __LICENCES__
