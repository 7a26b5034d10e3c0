import type { TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import { CapsLock, useCapsLock } from '../parts/caps-lock.tsx'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { type CallError, useCall } from '../parts/hooks.ts'
import { Problem } from '../parts/status.tsx'

interface ProxySignInProps {
  /** Kind, host and port, as the failure names them: for example, `http://proxy.example:3128`. */
  readonly proxy: string
  readonly isRefused: boolean
}

type FieldError = 'usernameMissing' | 'usernameColon' | 'passwordMissing' | undefined

/** True if the credentials were saved, or if the proxy no longer asks, for example after a sign-in elsewhere. */
const isOver = (result: CallError | undefined): boolean =>
  result === undefined || (result !== 'unexpected' && result.details?.cause === 'stranger')

/** If a proxy requires credentials, asks the user for them. Once they are saved, the surrounding form is submitted. */
export const ProxyAsks = ({ error }: { readonly error: CallError | undefined }) => {
  if (error === undefined || error === 'unexpected') return null
  const proxy = proxyToSignInTo(error)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(error)} />
}

/** This isn't a form element, because it may be inside another form. */
const ProxySignIn = ({ proxy, isRefused }: ProxySignInProps) => {
  const { api, texts, isCheck } = useSurroundings()
  const group = useRef<HTMLDivElement>(null)
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<FieldError>(undefined)
  const capsLock = useCapsLock()
  const { pending, error, run, clear } = useCall()
  const id = useId()

  useLayoutEffect(() => {
    // Inside a form, this view appears because the user has submitted the form, so its first field gets the focus.
    if (group.current?.closest('form')) username.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const field = password.current
    return () => {
      // SECURITY: see `SecretField`.
      if (field !== null) field.value = ''
    }
  }, [isCheck])

  const check = (): FieldError => {
    if (username.current?.value === '') return 'usernameMissing'
    if (username.current?.value.includes(':')) return 'usernameColon'
    // SECURITY: no regular expression reads the password, because `RegExp.input` would keep it.
    return password.current?.value.length === 0 ? 'passwordMissing' : undefined
  }

  // SECURITY: no variable, state or closure of ours keeps the password.
  const send = () =>
    api.saveProxyCredentials({
      proxy,
      username: username.current?.value ?? '',
      password: password.current?.value ?? '',
    })

  const submit = () => {
    if (pending) return
    const found = check()
    setWrong(found)
    if (found !== undefined) {
      clear()
      return (found === 'passwordMissing' ? password : username).current?.focus()
    }
    run(send, (result) => {
      if (password.current === null || !isOver(result)) return
      password.current.value = ''
      group.current?.closest('form')?.requestSubmit()
    })
  }

  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    capsLock.onKey(event)
    if (event.key !== 'Enter' || event.isComposing) return
    // By default, Enter would submit the surrounding form.
    event.preventDefault()
    if (event.type === 'keydown') submit()
  }

  const errorFor = (...errors: FieldError[]) =>
    wrong !== undefined && errors.includes(wrong) ? texts.fieldErrors[wrong] : undefined
  const common = { readOnly: pending, onInput: () => setWrong(undefined), onKey } as const
  const isToldSo = isRefused && !pending && wrong === undefined

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset positions its legend unlike other elements
    <div ref={group} class="proxy" role="group" aria-labelledby={id}>
      <strong id={id}>{texts.proxy.heading(proxy)}</strong>
      <Field
        {...common}
        label={texts.proxy.user}
        input={username}
        error={errorFor('usernameMissing', 'usernameColon')}
        name="proxy-username"
        autocomplete="off"
      />
      <Field
        {...common}
        label={texts.proxy.password}
        input={password}
        error={errorFor('passwordMissing') ?? (isToldSo ? texts.proxy.refused : undefined)}
        hint={texts.proxy.hint}
        name="proxy-password"
        type="password"
        autocomplete="off"
        onBlur={capsLock.onBlur}
      />
      <CapsLock on={capsLock.on} />
      {error !== undefined && !isOver(error) && (
        <Problem error={error} during="signIn" host={undefined} isMain={false} role="alert" />
      )}
      <button type="button" class="plain" aria-disabled={pending} onClick={submit}>
        {pending ? texts.buttons.signingIn : texts.proxy.signIn}
      </button>
    </div>
  )
}
