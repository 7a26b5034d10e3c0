import { useCallback, useRef, useState } from 'preact/hooks'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { CancelLater } from '../parts/cancel-later.tsx'
import { Choice } from '../parts/choice.tsx'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useEscape, useIsSlow, useRetryWait } from '../parts/hooks.ts'
import { InputFields, useInputs } from '../parts/input-fields.tsx'
import { Problem } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-sign-in.tsx'
import { SignInStatus } from './sign-in-status.tsx'

interface FilledIn {
  readonly grant: string | undefined
  readonly username: string
}

interface GrantFormProps {
  readonly connection: ConnectionView | undefined
  readonly where: string | undefined
  readonly need: string | undefined
  /** The session before the sign-in started. */
  readonly session: SessionView
  readonly filledIn: FilledIn
  readonly onFilledIn: (values: FilledIn) => void
  readonly isSigningIn: boolean
  readonly signingIn: Call
  /** The call that answered the last challenge. If the call failed, this form shows why. */
  readonly answering: Call
  readonly isCancelled: boolean
  readonly onCancelled: (isCancelled: boolean) => void
  readonly offersStart: boolean
}

export const GrantForm = (props: GrantFormProps) => {
  const { connection, where, need, session, filledIn, onFilledIn, isSigningIn, signingIn, answering } = props
  const { isCancelled, onCancelled, offersStart } = props
  const { api, texts } = useSurroundings()
  const { grants = [], host } = connection ?? {}
  const [chosen, choose] = useState(filledIn.grant)
  const grant = grants.find(({ name }) => name === chosen) ?? grants[0] ?? GRANTS.password
  const inputs = useInputs(grant.fields)
  const isInBrowser = grant.fields.length === 0
  const start = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState(grant.name)
  const busy = signingIn.pending || isSigningIn
  const isSlow = useIsSlow(busy)
  // Screen readers announce a live region only when its content changes after the region has appeared.
  const isHeard = useIsSlow(isCancelled && !busy, 0)
  const error = sent === grant.name ? (signingIn.error ?? answering.error) : undefined
  const [wait, mustWait] = useRetryWait(error)
  const button = useRef<HTMLButtonElement>(null)

  // SECURITY: no variable, state or closure of ours keeps the typed text.
  const send = () => api.signIn({ grant: grant.name, ...inputs.values() })

  const { forget } = signingIn
  const cancel = useCallback(() => {
    forget()
    api.cancelSignIn().catch(() => {})
    onCancelled(true)
    button.current?.focus()
  }, [api, forget, onCancelled])
  useEscape(busy ? cancel : undefined, { isInner: true })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || mustWait) return
    onCancelled(false)
    answering.clear()
    if (!inputs.check()) return signingIn.clear()
    setSent(grant.name)
    onFilledIn({ grant: grant.name, username: inputs.ref('username').current?.value ?? '' })
    // The answer may arrive after this view has closed, so the checkbox is read now.
    const choice = start.current?.checked
    signingIn.run(send, (result) => {
      // An error is ignored, because the settings show whether Latchkey starts at login.
      if (result === undefined && choice !== undefined) {
        api.setSwitch({ name: 'startAtLogin', enabled: choice }).catch(() => {})
      }
      inputs.answered(result)
    })
  }

  const labels: Readonly<Record<string, string>> = texts.signIn.methods
  const slowly = { issuer: grant.issuer, host: grant.issuer === 'service' ? host : undefined }
  return (
    <form noValidate aria-busy={busy} onSubmit={submit}>
      {error === undefined ? (
        <SignInStatus session={session} host={host} where={where} need={need} />
      ) : (
        <>
          <Problem
            error={error}
            during={signingIn.error ? 'signIn' : 'challenge'}
            issuer={grant.issuer}
            host={host}
            wait={wait}
            remedy={<ProxyAsks error={error} />}
            role="alert"
          />
          <p class="hint">{where}</p>
        </>
      )}
      {grants.length > 1 && (
        <Choice
          label={texts.signIn.choice}
          options={grants.map(({ name }) => ({ value: name, label: labels[name] ?? name }))}
          value={grant.name}
          onChange={(next) => !busy && choose(next)}
        />
      )}
      <InputFields
        inputs={inputs}
        username={filledIn.username}
        usernameHint={grant.issuer === 'identityProvider' ? texts.signIn.providerHint : undefined}
        readOnly={busy}
      />
      {offersStart && (
        <label class="check">
          <input ref={start} type="checkbox" defaultChecked disabled={busy} />
          {texts.signIn.startAtLogin}
        </label>
      )}
      <div class="remedy">
        <button ref={button} type="submit" class={busy ? 'busy' : undefined} aria-disabled={busy || mustWait}>
          {busy ? texts.buttons.signingIn : isInBrowser ? texts.buttons.continueInBrowser : texts.buttons.signIn}
        </button>
        {busy && <CancelLater onCancel={cancel} />}
      </div>
      <p class="hint" role="status">
        {isSlow ? texts.stillWaiting(slowly) : isHeard && texts.signIn.cancelled}
      </p>
    </form>
  )
}
