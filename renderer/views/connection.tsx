import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SettingProblem } from '../../contract/settings.ts'
import { hostOf } from '../parts/address.ts'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { fieldsOf, useCall } from '../parts/hooks.ts'
import { Status } from '../parts/status.tsx'
import { AddressProblem, mayBeRight } from './address-problem.tsx'

export const Connection = () => {
  const { api, texts } = useSurroundings()
  const address = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<SettingProblem | undefined>(undefined)
  const [asked, setAsked] = useState<string | undefined>(undefined)
  const { pending, error, run, clear } = useCall()

  useLayoutEffect(() => address.current?.focus(), [])

  const connect = (anyway: boolean) => {
    const typed = address.current?.value.trim() ?? ''
    setWrong(typed === '' ? 'missing' : undefined)
    if (typed === '') {
      clear()
      return address.current?.focus()
    }
    setAsked(hostOf(typed))
    run(
      () => api.connect({ baseAddress: typed, anyway }),
      (result) => {
        if (result === undefined || mayBeRight(result)) return
        setWrong(fieldsOf(result)?.baseAddress)
        address.current?.focus()
      },
    )
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    connect(false)
  }

  const isAtField = error !== undefined && fieldsOf(error)?.baseAddress !== undefined
  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      {error === undefined || isAtField ? (
        <Status title={texts.connection.heading}>
          <p>{texts.connection.lead}</p>
        </Status>
      ) : (
        <AddressProblem error={error} host={asked} onAnyway={() => connect(true)} />
      )}
      <Field
        label={texts.fields.serviceAddress}
        input={address}
        error={wrong && texts.settings.problem('baseAddress', wrong)}
        name="serviceAddress"
        autocomplete="url"
        readOnly={pending}
        onInput={() => {
          setWrong(undefined)
          clear()
        }}
      />
      <div class="remedy">
        <button type="submit" class={pending ? 'busy' : undefined} aria-disabled={pending}>
          {pending ? texts.buttons.connecting : texts.buttons.connect}
        </button>
      </div>
    </form>
  )
}
