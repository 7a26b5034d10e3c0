import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { CapsLock, useCapsLock } from '../parts/caps-lock.tsx'
import { Choice } from '../parts/choice.tsx'
import { useSurroundings } from '../parts/context.ts'
import { Field } from '../parts/field.tsx'
import { isFailure, useCall } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'
import { ExpiredActions, SignInIntro, SignInLines } from './sign-in-lines.tsx'

interface SignInProps {
  readonly connection: ConnectionView | undefined
  readonly session: SessionView
  /** How the user signed in last, as far as this window knows. */
  readonly usual: SignInMethod | undefined
  /** Whether to ask if Latchkey starts at login: once, at the first sign-in. */
  readonly offersStart: boolean
}

type FieldTrouble = 'usernameMissing' | 'usernameColon' | 'passwordMissing' | undefined

/** Whatever came before stays on screen while signing in: nothing jumps. */
function useSettled(session: SessionView): SessionView {
  const settled = useRef(session)
  if (session.kind !== 'signingIn') settled.current = session
  return settled.current
}

export const SignIn = ({ connection, session, usual, offersStart }: SignInProps) => {
  const { api, texts } = useSurroundings()
  const settled = useSettled(session)
  const account = 'account' in settled ? settled.account : undefined
  const methods = connection?.methods ?? ['password']
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const start = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<SignInMethod | undefined>(account?.method ?? usual)
  const [wrong, setWrong] = useState<FieldTrouble>(undefined)
  const capsLock = useCapsLock()
  const { pending, trouble, run, clear } = useCall()

  const method = chosen !== undefined && methods.includes(chosen) ? chosen : (methods[0] ?? 'password')
  /** What the trouble on screen is about. */
  const [sent, setSent] = useState(method)
  const busy = pending || session.kind === 'signingIn'

  useLayoutEffect(() => {
    const field = password.current
    const first = username.current?.value === '' ? username.current : field
    first?.focus()
    return () => {
      // SECURITY: an input that left the page may live on; what was typed into it must not.
      if (field !== null) field.value = ''
    }
  }, [])

  const check = (): FieldTrouble => {
    if (username.current?.value === '') return 'usernameMissing'
    if (method === 'password' && username.current?.value.includes(':')) return 'usernameColon'
    // SECURITY: asked by length; a regular expression would keep the text as `RegExp.input`.
    return password.current?.value.length === 0 ? 'passwordMissing' : undefined
  }

  // SECURITY: the password goes from its field into the call, and no variable, state or closure of ours keeps it.
  const send = () =>
    api.signIn({ method, username: username.current?.value ?? '', password: password.current?.value ?? '' })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    const found = check()
    setWrong(found)
    if (found !== undefined) {
      clear()
      return (found === 'passwordMissing' ? password : username).current?.focus()
    }
    setSent(method)
    // The view may be gone by the time of the answer.
    const choice = start.current?.checked
    run(send, (result) => {
      // Without it nothing is lost: the settings show what is.
      if (result === undefined && choice !== undefined) api.setStartAtLogin({ enabled: choice }).catch(() => {})
      const refused = isFailure(result, 'rejected')
      if (password.current === null || (result !== undefined && !refused)) return
      password.current.value = ''
      if (refused) password.current.focus()
    })
  }

  const errorFor = (...troubles: FieldTrouble[]) =>
    wrong !== undefined && troubles.includes(wrong) ? texts.fieldErrors[wrong] : undefined

  return (
    <form noValidate aria-busy={busy} onSubmit={submit}>
      <SignInIntro session={settled} />
      <SignInLines session={settled} host={connection?.host} />
      {methods.length > 1 && (
        <Choice
          label={texts.signIn.choice}
          options={methods.map((value) => ({ value, label: texts.signIn.methods[value] }))}
          value={method}
          onChange={(next) => !busy && setChosen(next)}
        />
      )}
      <Field
        label={texts.fields.username}
        input={username}
        hint={method === 'sso' ? texts.signIn.ssoHint : undefined}
        error={errorFor('usernameMissing', 'usernameColon')}
        name="username"
        autocomplete="username"
        initial={account?.username ?? ''}
        readOnly={busy}
        onInput={() => setWrong(undefined)}
      />
      <Field
        label={texts.fields.password}
        input={password}
        error={errorFor('passwordMissing')}
        name="password"
        type="password"
        autocomplete="current-password"
        readOnly={busy}
        onInput={() => setWrong(undefined)}
        onKey={capsLock.onKey}
        onBlur={capsLock.onBlur}
      />
      <CapsLock on={capsLock.on} />
      {offersStart && (
        <label class="check">
          <input ref={start} type="checkbox" defaultChecked disabled={busy} />
          {texts.signIn.startAtLogin}
        </label>
      )}
      {trouble !== undefined && sent === method && (
        <TroubleNotice trouble={trouble} during="signIn" method={method} host={connection?.host} role="alert" />
      )}
      <ProxyAsks trouble={trouble} />
      <div class="foot">
        <button type="submit" aria-disabled={busy}>
          {busy ? texts.buttons.signingIn : texts.buttons.signIn}
        </button>
        {settled.kind === 'expired' && <ExpiredActions />}
      </div>
    </form>
  )
}
