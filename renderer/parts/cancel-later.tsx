import { useSurroundings } from './context.ts'
import { useIsSlow } from './hooks.ts'

/** Hides the button from the second click of a double click, which could cancel what the first one started. */
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
