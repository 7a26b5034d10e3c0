import type { Page } from 'playwright-core'
import type { CallInput, CallName, LatchkeyApi } from '../../contract/calls.ts'
import type { Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'

type Scope = { readonly latchkey: LatchkeyApi }

export const call = <N extends CallName>(page: Page, name: N, input?: CallInput<N>): Promise<Outcome> =>
  page.evaluate(
    ([method, argument]) => {
      const { latchkey } = globalThis as unknown as { latchkey: Record<string, (input: unknown) => Promise<Outcome>> }
      return latchkey[method]?.(argument) as Promise<Outcome>
    },
    [name, input] as const,
  )

export const viewOf = (page: Page): Promise<AppView> =>
  page.evaluate(() => new Promise<AppView>((resolve) => (globalThis as unknown as Scope).latchkey.onView(resolve)))
