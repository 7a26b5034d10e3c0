import type { RefObject } from 'preact'
import { useCallback, useRef, useState } from 'preact/hooks'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { Choice } from '../parts/choice.tsx'
import { useSurroundings } from '../parts/context.ts'
import { type Call, useEscape, useIsSlow, useRetryWait } from '../parts/hooks.ts'
import { InputFields, useInputs } from '../parts/input-fields.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'
import { SignInIntro, SignInLines } from './sign-in-lines.tsx'

interface GrantFormProps {
  readonly connection: ConnectionView | undefined
  /** The session's state before the sign-in started. */
  readonly session: SessionView
  /** The last grant and username, for when the form is shown again. */
  readonly filledIn: RefObject<{ grant: string | undefined; username: string }>
  readonly isSigningIn: boolean
  readonly signingIn: Call
  /** The call that answered the last challenge. If it failed, this form shows why. */
  readonly answering: Call
  readonly offersStart: boolean
}

/** A choice of grants if several are offered, and the fields of the chosen one. */
export const GrantForm = (props: GrantFormProps) => {
  const { connection, session, filledIn, isSigningIn, signingIn, answering, offersStart } = props
  const { api, texts } = useSurroundings()
  const { grants = [], host } = connection ?? {}
  const [chosen, choose] = useState(filledIn.current?.grant)
  const grant = grants.find(({ name }) => name === chosen) ?? grants[0] ?? GRANTS.password
  const inputs = useInputs(grant.fields)
  const isInBrowser = grant.fields.length === 0
  const start = useRef<HTMLInputElement>(null)
  /** The grant of the last attempt to sign in. */
  const [sent, setSent] = useState(grant.name)
  const busy = signingIn.pending || isSigningIn
  const isSlow = useIsSlow(busy)
  const error = sent === grant.name ? (signingIn.error ?? answering.error) : undefined
  const wait = useRetryWait(error)
  const mustWait = wait !== undefined && wait > 0
  const button = useRef<HTMLButtonElement>(null)

  // SECURITY: typed text goes directly from its field into the call; no variable, state or closure of ours keeps it.
  const send = () => api.signIn({ grant: grant.name, ...inputs.values() })

  const { forget } = signingIn
  const cancel = useCallback(() => {
    forget()
    api.cancelSignIn().catch(() => {})
    button.current?.focus()
  }, [api, forget])
  useEscape(busy ? cancel : undefined, { isInner: true })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || mustWait) return
    answering.clear()
    if (!inputs.check()) return signingIn.clear()
    setSent(grant.name)
    filledIn.current = { grant: grant.name, username: inputs.ref('username').current?.value ?? '' }
    // Read now, because the view may be closed by the time the answer arrives.
    const choice = start.current?.checked
    signingIn.run(send, (result) => {
      // If this call fails, the error is ignored, because the settings show the actual state.
      if (result === undefined && choice !== undefined) {
        api.setSwitch({ name: 'startAtLogin', enabled: choice }).catch(() => {})
      }
      inputs.answered(result)
    })
  }

  const labels: Readonly<Record<string, string>> = texts.signIn.methods
  const notice = { issuer: grant.issuer, host, role: 'alert' } as const
  return (
    <form noValidate aria-busy={busy} onSubmit={submit}>
      <SignInIntro session={session} />
      <SignInLines session={session} host={host} />
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
        username={filledIn.current?.username}
        usernameHint={grant.issuer === 'identityProvider' ? texts.signIn.providerHint : undefined}
        readOnly={busy}
      />
      {offersStart && (
        <label class="check">
          <input ref={start} type="checkbox" defaultChecked disabled={busy} />
          {texts.signIn.startAtLogin}
        </label>
      )}
      {error !== undefined && (
        <ErrorNotice error={error} during={signingIn.error ? 'signIn' : 'challenge'} wait={wait} {...notice} />
      )}
      <ProxyAsks error={signingIn.error ?? answering.error} />
      <div class="foot">
        <p class="hint" role="status">
          {isSlow && texts.stillWaiting({ issuer: grant.issuer, host: grant.issuer === 'service' ? host : undefined })}
        </p>
        <button ref={button} type="submit" class={busy ? 'busy' : undefined} aria-disabled={busy || mustWait}>
          {busy ? texts.buttons.signingIn : isInBrowser ? texts.buttons.continueInBrowser : texts.buttons.signIn}
        </button>
        {busy && (
          <button type="button" class="plain" onClick={cancel}>
            {texts.buttons.cancel}
          </button>
        )}
      </div>
    </form>
  )
}
