import type { CallName, Handlers } from '../../contract/calls.ts'
import type { AppView } from '../../contract/views.ts'

/**
 * One concern of the app: the calls it answers, and its part of the view. Features don't import anything from
 * `main/surfaces/`.
 */
export interface Feature<Calls extends CallName = never, Shown extends keyof AppView = never> {
  readonly handlers: Pick<Handlers, Calls>
  view(): Pick<AppView, Shown>
  start?(): void | Promise<void>
  stop?(): void | Promise<void>
}

/** Registers a listener that is called after every change. Returns a function that removes the listener. */
export type Subscribe = (listener: () => void) => () => void

interface AnyFeature {
  readonly handlers: Partial<Handlers>
  view(): Partial<AppView>
}
type Features = Readonly<Record<string, AnyFeature>>

/** The calls that each feature answers, and its parts of the view. */
type Calls<F extends Features> = { readonly [K in keyof F]: keyof F[K]['handlers'] }
type Parts<F extends Features> = { readonly [K in keyof F]: keyof ReturnType<F[K]['view']> }

type Missing<All, C> = Exclude<All, C[keyof C]>
type ClaimedTwice<C> = { [K in keyof C]: C[K] & C[Exclude<keyof C, K>] }[keyof C]
type Mistakes<All, C> = Missing<All, C> | ClaimedTwice<C>

/**
 * Requires that each call and each part of the view belongs to exactly one of these features. Otherwise this type lists
 * those that belong to none or to several.
 */
export type Complete<F extends Features> = [Mistakes<CallName, Calls<F>> | Mistakes<keyof AppView, Parts<F>>] extends [
  never,
]
  ? unknown
  : { readonly missingOrClaimedTwice: Mistakes<CallName, Calls<F>> | Mistakes<keyof AppView, Parts<F>> }

export function mergeHandlers<F extends Features>(features: F & Complete<F>): Handlers {
  return Object.assign({}, ...Object.values<AnyFeature>(features).map(({ handlers }) => handlers))
}

export function mergeViews<F extends Features>(features: F & Complete<F>): AppView {
  return Object.assign({}, ...Object.values<AnyFeature>(features).map((feature) => feature.view()))
}
