import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { useEscape, useIsSlow } from '../parts/hooks.ts'

interface WaitingProps {
  readonly session: Extract<SessionView, { kind: 'restoring' }>
  readonly host: string | undefined
  readonly onCancel: () => void
}

/** Shown if restoring the session takes noticeably long. */
export const Waiting = ({ session: { issuer }, host, onCancel }: WaitingProps) => {
  const { texts } = useSurroundings()
  const isSlow = useIsSlow(true)
  useEscape(onCancel)
  const asked = issuer && { issuer, host: issuer === 'service' ? host : undefined }
  return (
    <>
      <div class="intro late" aria-busy="true">
        <ArrivalHeading>{texts.restoring.heading}</ArrivalHeading>
        <p class="lead busy">{texts.restoring.lead}</p>
      </div>
      <p role="status">
        {isSlow &&
          (asked === undefined ? texts.restoring.slow : `${texts.stillWaiting(asked)} ${texts.restoring.network}`)}
      </p>
      <div class="foot late">
        <button type="button" class="plain" onClick={onCancel}>
          {texts.buttons.cancel}
        </button>
      </div>
    </>
  )
}
