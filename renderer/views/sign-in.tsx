import { useRef, useState } from 'preact/hooks'
import { GRANTS, type GrantDescription } from '../../contract/grants.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { Choice } from '../parts/choice.tsx'
import { useSurroundings } from '../parts/context.ts'
import { isFailure, useCall } from '../parts/hooks.ts'
import { InputFields, useInputs } from '../parts/input-fields.tsx'
import { TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'
import { ExpiredActions, SignInIntro, SignInLines } from './sign-in-lines.tsx'

interface SignInProps {
  readonly connection: ConnectionView | undefined
  readonly session: SessionView
  /** The name of the grant that the user signed in with last, as far as this window knows. */
  readonly usual: string | undefined
  /** Whether to ask if Latchkey starts at login: once, at the first sign-in. */
  readonly offersStart: boolean
}

/** Whatever came before stays on screen while signing in: nothing jumps. */
function useSettled(session: SessionView): SessionView {
  const settled = useRef(session)
  if (session.kind !== 'signingIn') settled.current = session
  return settled.current
}

/** The grant that the user chose, as long as it is offered. */
function useGrant({ connection, usual }: SignInProps): [GrantDescription, (name: string) => void] {
  const [chosen, choose] = useState(usual)
  const grants = connection?.grants ?? []
  return [grants.find(({ name }) => name === chosen) ?? grants[0] ?? GRANTS.password, choose]
}

export const SignIn = (props: SignInProps) => {
  const { connection, session, offersStart } = props
  const { api, texts } = useSurroundings()
  const settled = useSettled(session)
  const account = 'account' in settled ? settled.account : undefined
  const [grant, choose] = useGrant({ ...props, usual: account?.grant.name ?? props.usual })
  const inputs = useInputs(grant.fields)
  const start = useRef<HTMLInputElement>(null)
  const { pending, trouble, run, clear } = useCall()

  /** What the trouble on screen is about. */
  const [sent, setSent] = useState(grant.name)
  const busy = pending || session.kind === 'signingIn'

  // SECURITY: what was typed goes from its field into the call, and no variable, state or closure of ours keeps it.
  const send = () => api.signIn({ grant: grant.name, ...inputs.values() })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    if (!inputs.check()) return clear()
    setSent(grant.name)
    // The view may be gone by the time of the answer.
    const choice = start.current?.checked
    run(send, (result) => {
      // Without it nothing is lost: the settings show what is.
      if (result === undefined && choice !== undefined) api.setStartAtLogin({ enabled: choice }).catch(() => {})
      const refused = isFailure(result, 'rejected')
      if (result !== undefined && !refused) return
      const secrets = inputs.secrets()
      for (const field of secrets) field.value = ''
      if (refused) secrets[0]?.focus()
    })
  }

  return (
    <form noValidate aria-busy={busy} onSubmit={submit}>
      <SignInIntro session={settled} />
      <SignInLines session={settled} host={connection?.host} />
      {connection !== undefined && connection.grants.length > 1 && (
        <Choice
          label={texts.signIn.choice}
          options={connection.grants.map(({ name, issuer }) => ({ value: name, label: texts.signIn.methods[issuer] }))}
          value={grant.name}
          onChange={(next) => !busy && choose(next)}
        />
      )}
      <InputFields
        inputs={inputs}
        username={account?.username ?? ''}
        usernameHint={grant.issuer === 'identityProvider' ? texts.signIn.providerHint : undefined}
        readOnly={busy}
      />
      {offersStart && (
        <label class="check">
          <input ref={start} type="checkbox" defaultChecked disabled={busy} />
          {texts.signIn.startAtLogin}
        </label>
      )}
      {trouble !== undefined && sent === grant.name && (
        <TroubleNotice trouble={trouble} during="signIn" issuer={grant.issuer} host={connection?.host} role="alert" />
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
