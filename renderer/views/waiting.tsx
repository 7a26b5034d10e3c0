import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { useEscape, useIsSlow } from '../parts/hooks.ts'

/** While the session is restored. It shows only when that takes long enough to be noticed. */
export const Waiting = ({ onCancel }: { readonly onCancel: () => void }) => {
  const { texts } = useSurroundings()
  const isSlow = useIsSlow(true)
  useEscape(onCancel)
  return (
    <>
      <div class="intro late" aria-busy="true">
        <ArrivalHeading>{texts.restoring.heading}</ArrivalHeading>
        <p class="lead busy">{texts.restoring.lead}</p>
      </div>
      <p role="status">{isSlow && texts.restoring.slow}</p>
      <div class="foot late">
        <button type="button" class="plain" onClick={onCancel}>
          {texts.buttons.cancel}
        </button>
      </div>
    </>
  )
}
