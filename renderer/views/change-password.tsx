import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AccountView } from '../../contract/views.ts'
import { CapsLock, useCapsLock } from '../parts/caps-lock.tsx'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { type CallError, isFailure, useCall, useRetryWait } from '../parts/hooks.ts'
import { Problem, Status } from '../parts/status.tsx'
import { StrengthMeter } from '../parts/strength-meter.tsx'
import { useStrength } from '../strength/use-strength.ts'
import { ProxyAsks } from './proxy-sign-in.tsx'

interface ChangePasswordProps {
  readonly account: AccountView
  readonly host: string | undefined
  readonly rule: string | undefined
  readonly onRule: (rule: string) => void
  readonly onChanged: () => void
  /** Called with a result that arrives after the user has left the form. */
  readonly onLate: (error: CallError | undefined) => void
}

type FieldError =
  | 'currentPasswordMissing'
  | 'currentPasswordWrong'
  | 'newPasswordMissing'
  | 'repetitionMissing'
  | 'repetitionDiffers'

export const ChangePassword = ({ account, host, rule, onRule, onChanged, onLate }: ChangePasswordProps) => {
  const { api, texts } = useSurroundings()
  const currentField = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<FieldError | undefined>(undefined)
  const [shown, setShown] = useState(false)
  const capsLock = useCapsLock()
  const meter = useId()
  const { strength, changed } = useStrength(first, [account.username, account.displayName, host ?? ''])
  const { pending, error, run, clear } = useCall()
  const [wait, mustWait] = useRetryWait(error)

  const retype = ({ current }: typeof first) => {
    current?.focus()
    current?.select()
  }

  useLayoutEffect(() => {
    const fields = [currentField.current, first.current, second.current]
    currentField.current?.focus()
    return () => {
      // SECURITY: a removed input may stay in memory, so its text is deleted.
      for (const field of fields) if (field !== null) field.value = ''
    }
  }, [])

  // SECURITY: no regular expression reads a password, because `RegExp.input` would keep it.
  const check = (): FieldError | undefined => {
    if (currentField.current?.value.length === 0) return 'currentPasswordMissing'
    if (first.current?.value.length === 0) return 'newPasswordMissing'
    if (second.current?.value.length === 0) return 'repetitionMissing'
    return second.current?.value === first.current?.value ? undefined : 'repetitionDiffers'
  }

  const fieldOf = (found: FieldError) => {
    if (found === 'currentPasswordMissing' || found === 'currentPasswordWrong') return currentField
    return found === 'newPasswordMissing' ? first : second
  }

  // SECURITY: no variable, state or closure of ours keeps a password.
  const send = () =>
    api.changePassword({ currentPassword: currentField.current?.value ?? '', password: first.current?.value ?? '' })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (pending || mustWait) return
    const found = check()
    setWrong(found)
    if (found !== undefined) {
      clear()
      return fieldOf(found).current?.focus()
    }
    run(send, (result) => {
      if (isFailure(result, 'passwordRefused') && result?.serverText !== undefined) onRule(result.serverText)
      if (first.current === null) return onLate(result)
      if (result === undefined) return onChanged()
      if (isFailure(result, 'passwordRefused')) retype(first)
      if (!isFailure(result, 'rejected')) return
      setWrong('currentPasswordWrong')
      retype(currentField)
    })
  }

  const common = {
    type: shown ? 'text' : 'password',
    readOnly: pending,
    onKey: capsLock.onKey,
    onBlur: capsLock.onBlur,
  } as const
  const errorAt = (field: typeof first) =>
    wrong !== undefined && fieldOf(wrong) === field ? texts.fieldErrors[wrong] : undefined
  const failure = error === 'unexpected' ? undefined : error
  const isSaid = rule === undefined || failure?.serverText === rule
  // The field already says that the current password is wrong; an alert above the form would repeat it.
  const rejection = failure?.code === 'rejected' && failure.problem === undefined ? failure : undefined

  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      {error === undefined || rejection !== undefined ? (
        <Status
          title={texts.changePassword.heading}
          failure={rejection?.serverText === undefined ? undefined : rejection}
          issuer={account.grant.issuer}
        >
          <p>{texts.changePassword.lead}</p>
        </Status>
      ) : (
        <Problem
          error={error}
          during="changePassword"
          host={host}
          issuer={account.grant.issuer}
          wait={wait}
          remedy={<ProxyAsks error={error} />}
          role="alert"
        />
      )}
      {/* Password managers store the new password under this username. */}
      <input hidden readOnly type="text" name="username" autocomplete="username" defaultValue={account.username} />
      <Field
        {...common}
        autocomplete="current-password"
        label={texts.fields.currentPassword}
        input={currentField}
        name="currentPassword"
        error={errorAt(currentField)}
        onInput={() => setWrong(undefined)}
      />
      <Field
        {...common}
        autocomplete="new-password"
        label={texts.fields.newPassword}
        input={first}
        describedBy={meter}
        name="newPassword"
        hint={
          isSaid ? undefined : (
            <>
              {texts.says[account.grant.issuer]} <q dir="auto">{rule}</q>
            </>
          )
        }
        error={errorAt(first)}
        onInput={() => {
          setWrong(undefined)
          changed()
        }}
      />
      <StrengthMeter id={meter} strength={strength} />
      <Field
        {...common}
        autocomplete="new-password"
        label={texts.fields.repeatNewPassword}
        input={second}
        name="repeatNewPassword"
        error={errorAt(second)}
        onInput={() => setWrong(undefined)}
      />
      <p class="beneath">
        <button type="button" class="link" onClick={() => setShown(!shown)}>
          {shown ? texts.buttons.hidePasswords : texts.buttons.showPasswords}
        </button>
      </p>
      <CapsLock on={capsLock.on} />
      <div class="remedy">
        <button type="submit" class={pending ? 'busy' : undefined} aria-disabled={pending || mustWait}>
          {pending ? texts.buttons.changingPassword : texts.buttons.changePassword}
        </button>
      </div>
    </form>
  )
}
