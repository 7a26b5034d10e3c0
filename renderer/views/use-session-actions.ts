import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { type CallError, useCall } from '../parts/hooks.ts'
import type { LastResult } from '../parts/last-result.ts'

export type SessionActions = ReturnType<typeof useSessionActions>

/** How long the message about a copied token is shown. The token stays on the clipboard for the same time. */
const COPIED_SHOWN_MS = 60_000

const SIGNED_IN: readonly SessionView['kind'][] = ['active', 'unreachable', 'ending']

/** Each action passes its result to `tell`, because the button that started it may be gone by then. */
export function useSessionActions(kind: SessionView['kind'], tell: (lastResult: LastResult) => void) {
  const { api, texts } = useSurroundings()
  const refreshing = useCall()
  const copying = useCall()
  const signingOut = useCall()
  const words = texts.session

  const report = (done: LastResult, failed: string) => (error: CallError | undefined) => {
    if (error === undefined) tell(done)
    // For an expected failure, a short sentence is enough, because the session's status gives the reason.
    else tell(error === 'unexpected' ? { error, during: 'session' } : { text: failed, holdsIn: [kind] })
  }
  return {
    isRefreshing: refreshing.pending,
    refresh() {
      tell({ text: words.refreshing, holdsIn: [kind] })
      refreshing.run(api.refreshNow, report({ text: words.refreshed, holdsIn: ['active'] }, words.stillNotRefreshed))
    },
    copyToken() {
      tell(undefined)
      const copied = { text: words.copied, forMs: COPIED_SHOWN_MS, holdsIn: SIGNED_IN }
      copying.run(api.copyToken, report(copied, words.notCopied))
    },
    signOut() {
      tell(undefined)
      signingOut.run(api.signOut, (error) => error !== undefined && tell({ error, during: 'session' }))
    },
  }
}
