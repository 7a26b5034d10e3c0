import { useSurroundings } from './context.ts'
import { useIsSlow } from './hooks.ts'

/**
 * The button appears after this time. A double click is over by then: its second click would cancel what the first one
 * started.
 */
const SHOWN_AFTER_MS = 700

export const CancelLater = ({ onCancel }: { readonly onCancel: () => void }) => {
  const { texts } = useSurroundings()
  if (!useIsSlow(true, SHOWN_AFTER_MS)) return null
  return (
    <button type="button" class="link" onClick={onCancel}>
      {texts.buttons.cancel}
    </button>
  )
}
