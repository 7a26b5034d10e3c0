import { useCallback } from 'preact/hooks'
import type { SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { useEscape, useIsSlow } from '../parts/hooks.ts'
import { Status } from '../parts/status.tsx'

interface WaitingProps {
  readonly session: Extract<SessionView, { kind: 'restoring' }>
  readonly host: string | undefined
}

export const Waiting = ({ session: { issuer }, host }: WaitingProps) => {
  const { texts, open } = useSurroundings()
  const isSlow = useIsSlow(true)
  const cancel = useCallback(() => open({ screen: 'signIn' }), [open])
  useEscape(cancel)
  const asked = issuer && { issuer, host: issuer === 'service' ? host : undefined }
  return (
    <div class="late" aria-busy="true">
      <Status
        title={texts.restoring.heading}
        focuses
        remedy={
          <button type="button" class="plain" onClick={cancel}>
            {texts.buttons.cancel}
          </button>
        }
      >
        <p class="busy">{texts.restoring.lead}</p>
        <p role="status">
          {isSlow &&
            (asked === undefined ? texts.restoring.slow : `${texts.stillWaiting(asked)} ${texts.restoring.network}`)}
        </p>
      </Status>
    </div>
  )
}
