import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { useEscape, useIsSlow } from '../parts/hooks.ts'

/** Shown while the session is restored, but only if that takes noticeably long. */
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
