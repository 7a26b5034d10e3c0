import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ConnectionView } from '../../preload/contract.ts'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'

interface ConnectionProps {
  readonly connection: ConnectionView | undefined
  readonly onDone: () => void
}

/** Host and port of an address as typed, for a sentence about it. What it means is for the main process to say. */
function hostOf(typed: string): string | undefined {
  const address = typed.includes('://') ? typed : `https://${typed}`
  return URL.canParse(address) ? new URL(address).host : undefined
}

export const Connection = ({ connection, onDone }: ConnectionProps) => {
  const { api, texts } = useSurroundings()
  const address = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const [asked, setAsked] = useState<string | undefined>(undefined)
  const { pending, trouble, run } = useCall()

  useLayoutEffect(() => {
    address.current?.focus()
    address.current?.select()
  }, [])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = address.current?.value.trim() ?? ''
    setMissing(typed === '')
    if (typed === '') return address.current?.focus()
    setAsked(hostOf(typed))
    run(
      () => api.connect({ baseAddress: typed }),
      (result) => (result === undefined ? onDone() : address.current?.focus()),
    )
  }

  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      <div class="intro">
        <h1>{texts.connection.heading}</h1>
        <p class="lead">{texts.connection.lead}</p>
      </div>
      <Field
        label={texts.fields.serviceAddress}
        input={address}
        hint={texts.connection.hint}
        error={missing ? texts.fieldErrors.addressMissing : undefined}
        name="serviceAddress"
        autocomplete="url"
        initial={connection?.baseAddress ?? ''}
        readOnly={pending}
        onInput={() => setMissing(false)}
      />
      {trouble !== undefined && <TroubleNotice trouble={trouble} during="connect" host={asked} role="alert" />}
      <div class="foot">
        <button type="submit" aria-disabled={pending}>
          {pending ? texts.buttons.connecting : texts.buttons.connect}
        </button>
      </div>
    </form>
  )
}
