import { useId } from 'preact/hooks'
import { GATEWAY_USERNAME } from '../../../contract/setting-rows.ts'
import { isLocked } from '../../../contract/settings.ts'
import type { AppView, GatewayView } from '../../../contract/views.ts'
import { AsksFirst } from '../../parts/asks-first.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { useCall } from '../../parts/hooks.ts'
import { placed } from '../../parts/opened.ts'
import { Problem, Status } from '../../parts/status.tsx'
import { Switch } from '../../parts/switch.tsx'
import { managedBy } from '../settings/fields.ts'
import { Snippet } from './snippet.tsx'

interface GatewayProps {
  readonly view: Pick<AppView, 'gateway' | 'settings' | 'shown' | 'connection'>
  readonly onCopied: (isCopied: boolean) => void
  readonly say: (text: string) => void
}

export const Gateway = ({ view, onCopied, say }: GatewayProps) => {
  const { api, texts } = useSurroundings()
  const { gateway, settings, connection } = view
  const words = texts.tools.gateway
  return (
    <>
      <Switch
        label={words.label}
        on={gateway.kind !== 'off' && gateway.kind !== 'forbidden'}
        locked={isLocked('gateway', settings.gateway.source)}
        reason={managedBy('gateway', settings.gateway, texts)}
        explanation={words.lead}
        set={(on) => api.saveSettings({ gateway: String(on) })}
      />
      <NotListening gateway={gateway} shown={view.shown} />
      {'address' in gateway && (
        <>
          {gateway.kind === 'signedOut' && <p class="hint">{words.signedOut}</p>}
          <Snippet label={words.address} code={gateway.address} onCopied={onCopied} />
          <Snippet label={texts.fields.username} code={GATEWAY_USERNAME} onCopied={onCopied} />
          <Password hasPassword={gateway.hasPassword} host={connection?.host} say={say} />
          <ol class="steps">
            {words.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

const NotListening = ({ gateway, shown }: { readonly gateway: GatewayView; readonly shown: string }) => {
  const { texts, open } = useSurroundings()
  const words = texts.tools.gateway
  const problem =
    gateway.kind === 'portTaken'
      ? words.portTaken(gateway.port, gateway.by)
      : gateway.kind === 'failed'
        ? words.failed(gateway.port, gateway.cause)
        : undefined
  return (
    <div class="problem" role="status">
      {problem !== undefined && (
        <Status
          tone="warn"
          title={problem.title}
          isMain={false}
          remedy={
            <button
              type="button"
              class="plain"
              {...placed('gatewayPort')}
              onClick={() => open({ screen: 'connectionSettings', connection: shown })}
            >
              {words.otherPort}
            </button>
          }
        >
          <p>{problem.body}</p>
        </Status>
      )}
    </div>
  )
}

interface PasswordProps {
  readonly hasPassword: boolean
  readonly host: string | undefined
  readonly say: (text: string) => void
}

/** SECURITY: the main process copies each new password. The page never gets it, and nothing keeps it. */
const Password = ({ hasPassword, host, say }: PasswordProps) => {
  const { api, texts } = useSurroundings()
  const words = texts.tools.gateway
  const { pending, error, run, clear } = useCall()
  const id = useId()
  const make = () => run(api.newGatewayPassword, (failed) => failed === undefined && say(words.passwordCopied))
  return (
    <section class="gateway-password" aria-labelledby={id}>
      <h2 id={id}>{texts.fields.password}</h2>
      <AsksFirst
        label={hasPassword ? words.newPassword : words.copyPassword}
        look={hasPassword ? 'plain' : undefined}
        isDisabled={pending}
        question={hasPassword ? words.replace : undefined}
        onAsk={clear}
        act={make}
      />
      <p class="hint">{words.passwordHint}</p>
      {error !== undefined && <Problem error={error} during="settings" host={host} isMain={false} role="alert" />}
    </section>
  )
}
