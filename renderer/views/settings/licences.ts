/** The third-party packages in the app. The build inserts the list (`scripts/licences.mjs`). */

export interface Licence {
  readonly name: string
  readonly version: string
  /** The licence, as an SPDX expression. */
  readonly licence: string
  readonly repository?: string
}

declare const __LICENCES__: readonly Licence[]

export const licences: readonly Licence[] = __LICENCES__
