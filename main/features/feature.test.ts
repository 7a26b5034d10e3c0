import { expect, it } from 'vitest'
import type { CallName } from '../../contract/calls.ts'
import { OK } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import { type Feature, mergeHandlers, mergeViews } from './feature.ts'

type Rest = Feature<Exclude<CallName, 'copyToken' | 'signOut'>, Exclude<keyof AppView, 'version' | 'update'>>
type Copying = Feature<'copyToken'>
type SigningOut = Feature<'signOut'>
type Updating = Feature<never, 'version' | 'update'>

const copying: Copying = { handlers: { copyToken: async () => OK }, view: () => ({}) }
const signingOut: SigningOut = { handlers: { signOut: async () => OK }, view: () => ({}) }
const updating: Updating = { handlers: {}, view: () => ({ version: '1.0.0' }) }
const rest = { handlers: { refreshNow: async () => OK }, view: () => ({ notices: ['a notice'] }) } as unknown as Rest

it('every call and every part of the view belongs to exactly one feature, or the compiler reports an error', () => {
  mergeHandlers({ rest, copying, signingOut, updating })
  // @ts-expect-error No feature answers copyToken.
  mergeHandlers({ rest, signingOut, updating })
  // @ts-expect-error Two features answer copyToken.
  mergeHandlers({ rest, copying, again: copying, signingOut, updating })
  // @ts-expect-error No feature shows the version.
  mergeViews({ rest, copying, signingOut })
  // @ts-expect-error Two features show the version.
  mergeViews({ rest, copying, signingOut, updating, again: updating })
})

it('the features’ handlers and views are merged', () => {
  const features = { rest, copying, signingOut, updating }
  expect(Object.keys(mergeHandlers(features)).sort()).toEqual(['copyToken', 'refreshNow', 'signOut'])
  expect(mergeViews(features)).toEqual({ version: '1.0.0', notices: ['a notice'] })
})
