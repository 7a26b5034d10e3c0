import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SettingProblem } from '../../contract/settings.ts'
import { hostOf } from '../parts/address.ts'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { fieldsOf, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'

/** The first run: the service's address is all that is needed. */
export const Connection = () => {
  const { api, texts } = useSurroundings()
  const address = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<SettingProblem | undefined>(undefined)
  const [asked, setAsked] = useState<string | undefined>(undefined)
  const { pending, trouble, run, clear } = useCall()

  useLayoutEffect(() => address.current?.focus(), [])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = address.current?.value.trim() ?? ''
    setWrong(typed === '' ? 'missing' : undefined)
    if (typed === '') {
      clear()
      return address.current?.focus()
    }
    setAsked(hostOf(typed))
    run(
      () => api.saveSettings({ baseAddress: typed }),
      (result) => {
        if (result === undefined) return
        setWrong(fieldsOf(result)?.baseAddress)
        address.current?.focus()
      },
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
        error={wrong && texts.settings.problem('baseAddress', wrong)}
        name="serviceAddress"
        autocomplete="url"
        readOnly={pending}
        onInput={() => setWrong(undefined)}
      />
      {trouble !== undefined && fieldsOf(trouble)?.baseAddress === undefined && (
        <TroubleNotice trouble={trouble} during="settings" host={asked} role="alert" />
      )}
      <div class="foot">
        <button type="submit" aria-disabled={pending}>
          {pending ? texts.buttons.connecting : texts.buttons.connect}
        </button>
      </div>
    </form>
  )
}
