import { useSurroundings } from '../parts/context.ts'
import { useCall } from '../parts/hooks.ts'
import { Notice } from '../parts/notice.tsx'

interface UpdateReadyProps {
  readonly version: string
  /** The user is signing in: that isn't cut off. */
  readonly isBusy: boolean
}

/** A newer version waits for a restart, and the restart for the user. */
export const UpdateReady = ({ version, isBusy }: UpdateReadyProps) => {
  const { api, texts } = useSurroundings()
  const { pending, run } = useCall()
  const isOff = isBusy || pending
  return (
    <Notice tone="quiet">
      <p role="status">{texts.shell.update.ready(version)}</p>
      <button type="button" class="plain" aria-disabled={isOff} onClick={() => isOff || run(api.restartToUpdate)}>
        {pending ? texts.shell.update.restarting : texts.shell.update.restart}
      </button>
    </Notice>
  )
}
