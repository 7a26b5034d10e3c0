import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure, FailureCode } from '../../contract/failures.ts'
import type { SettingProblem } from '../../contract/settings.ts'
import { hostOf } from '../parts/address.ts'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { fieldsOf, type Trouble, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

/** The address may still be right: another network, or waiting, may help. */
const MAY_BE_RIGHT: readonly FailureCode[] = ['unreachable', 'untrustedCertificate', 'proxyAuthenticationRequired']

const mayBeRight = (trouble: Trouble | undefined): trouble is Failure =>
  trouble !== undefined && trouble !== 'unexpected' && MAY_BE_RIGHT.includes(trouble.code)

/** The first run: the only required value is the service's address. */
export const Connection = () => {
  const { api, texts } = useSurroundings()
  const address = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<SettingProblem | undefined>(undefined)
  const [asked, setAsked] = useState<string | undefined>(undefined)
  const { pending, trouble, run, clear } = useCall()

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

  const change = () => {
    clear()
    address.current?.select()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    connect(false)
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
        error={wrong && texts.settings.problem('baseAddress', wrong)}
        name="serviceAddress"
        autocomplete="url"
        readOnly={pending}
        onInput={() => {
          setWrong(undefined)
          clear()
        }}
      />
      {trouble !== undefined && fieldsOf(trouble)?.baseAddress === undefined && (
        <TroubleNotice trouble={trouble} during="settings" host={asked} role="alert" />
      )}
      {mayBeRight(trouble) && (
        <div class="answers">
          <button type="button" class="plain" onClick={change}>
            {texts.buttons.changeAddress}
          </button>
          <button type="button" class="plain" onClick={() => connect(true)}>
            {texts.buttons.continueAnyway}
          </button>
        </div>
      )}
      <ProxyAsks trouble={trouble} />
      <div class="foot">
        <button type="submit" class={pending ? 'busy' : undefined} aria-disabled={pending}>
          {pending ? texts.buttons.connecting : texts.buttons.connect}
        </button>
      </div>
    </form>
  )
}
