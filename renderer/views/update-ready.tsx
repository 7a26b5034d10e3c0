import { useSurroundings } from '../parts/context.ts'
import { useCall } from '../parts/hooks.ts'

interface UpdateReadyProps {
  readonly version: string
  /** True during a sign-in, which a restart would interrupt. */
  readonly isBusy: boolean
}

export const UpdateReady = ({ version, isBusy }: UpdateReadyProps) => {
  const { api, texts } = useSurroundings()
  const { pending, run } = useCall()
  const isOff = isBusy || pending
  return (
    <div class="update">
      <p role="status">{texts.desktop.update.ready(version)}</p>
      <button type="button" class="plain" aria-disabled={isOff} onClick={() => isOff || run(api.restartToUpdate)}>
        {pending ? texts.desktop.update.restarting : texts.desktop.update.restart}
      </button>
    </div>
  )
}
