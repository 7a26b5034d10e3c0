import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AccountView } from '../../preload/contract.ts'
import { CapsLock, useCapsLock } from '../parts/caps-lock.tsx'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { ArrivalHeading } from '../parts/heading.tsx'
import { isFailure, type Trouble, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { StrengthMeter } from '../parts/strength-meter.tsx'
import { useStrength } from '../strength/use-strength.ts'
import { ProxyAsks } from './proxy-asks.tsx'

interface ChangePasswordProps {
  readonly account: AccountView
  readonly host: string | undefined
  readonly onChanged: () => void
  /** What became of it after the form was left. */
  readonly onLate: (trouble: Trouble | undefined) => void
}

export const ChangePassword = (props: ChangePasswordProps) =>
  props.account.method === 'sso' ? <ProvidersPassword /> : <ChangePasswordForm {...props} />

const ProvidersPassword = () => {
  const { texts } = useSurroundings()
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{texts.changePassword.heading}</ArrivalHeading>
        <p class="lead">{texts.changePassword.ssoLead}</p>
      </div>
      <p>{texts.changePassword.ssoBody}</p>
    </>
  )
}

type FieldTrouble = 'newPasswordMissing' | 'repetitionMissing' | 'repetitionDiffers' | undefined

const ChangePasswordForm = ({ account, host, onChanged, onLate }: ChangePasswordProps) => {
  const { api, texts } = useSurroundings()
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<FieldTrouble>(undefined)
  const [shown, setShown] = useState(false)
  const capsLock = useCapsLock()
  const { strength, changed } = useStrength(first, [account.username, account.displayName, host ?? ''])
  const { pending, trouble, run, clear } = useCall()

  const empty = () => {
    for (const { current } of [first, second]) if (current !== null) current.value = ''
    changed()
  }

  useLayoutEffect(() => {
    const fields = [first.current, second.current]
    first.current?.focus()
    return () => {
      // SECURITY: an input that left the page may live on; what was typed into it must not.
      for (const field of fields) if (field !== null) field.value = ''
    }
  }, [])

  // SECURITY: asked by length and comparison; a regular expression would keep the text as `RegExp.input`.
  const check = (): FieldTrouble => {
    if (first.current?.value.length === 0) return 'newPasswordMissing'
    if (second.current?.value.length === 0) return 'repetitionMissing'
    return second.current?.value === first.current?.value ? undefined : 'repetitionDiffers'
  }

  // SECURITY: the password goes from its field into the call, and no variable, state or closure of ours keeps it.
  const send = () => api.changePassword({ password: first.current?.value ?? '' })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (pending) return
    const found = check()
    setWrong(found)
    if (found !== undefined) {
      clear()
      return (found === 'newPasswordMissing' ? first : second).current?.focus()
    }
    run(send, (result) => {
      if (first.current === null) return onLate(result)
      if (result === undefined) return onChanged()
      if (!isFailure(result, 'passwordRefused')) return
      empty()
      first.current.focus()
    })
  }

  const common = {
    type: shown ? 'text' : 'password',
    autocomplete: 'new-password',
    readOnly: pending,
    onKey: capsLock.onKey,
    onBlur: capsLock.onBlur,
  } as const
  const errorFor = (...troubles: FieldTrouble[]) =>
    wrong !== undefined && troubles.includes(wrong) ? texts.fieldErrors[wrong] : undefined

  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      <div class="intro">
        <h1>{texts.changePassword.heading}</h1>
        <p class="lead">{texts.changePassword.lead}</p>
      </div>
      {/* For password managers alone: they keep the new password under this name. */}
      <input hidden readOnly type="text" name="username" autocomplete="username" defaultValue={account.username} />
      <Field
        {...common}
        label={texts.fields.newPassword}
        input={first}
        name="newPassword"
        error={errorFor('newPasswordMissing')}
        onInput={() => {
          setWrong(undefined)
          changed()
        }}
      />
      <StrengthMeter strength={strength} />
      <Field
        {...common}
        label={texts.fields.repeatNewPassword}
        input={second}
        name="repeatNewPassword"
        error={errorFor('repetitionMissing', 'repetitionDiffers')}
        onInput={() => setWrong(undefined)}
      />
      <p class="beneath">
        <button type="button" class="link" onClick={() => setShown(!shown)}>
          {shown ? texts.buttons.hidePasswords : texts.buttons.showPasswords}
        </button>
      </p>
      <CapsLock on={capsLock.on} />
      {trouble !== undefined && <TroubleNotice trouble={trouble} during="changePassword" host={host} role="alert" />}
      <ProxyAsks trouble={trouble} />
      <div class="foot">
        <button type="submit" aria-disabled={pending}>
          {pending ? texts.buttons.changingPassword : texts.buttons.changePassword}
        </button>
      </div>
    </form>
  )
}
