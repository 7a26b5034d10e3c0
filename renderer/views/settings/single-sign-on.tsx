import { useEffect, useRef } from 'preact/hooks'
import type { SettingsView } from '../../../contract/settings.ts'
import { useSurroundings } from '../../parts/context.ts'
import { PROVIDER_FIELDS } from './fields.ts'
import { SettingField } from './setting-field.tsx'
import type { SettingsForm } from './use-settings-form.ts'

interface ProviderProps {
  readonly form: SettingsForm
  readonly settings: SettingsView
}

interface SingleSignOnProps extends ProviderProps {
  /** Whether the values are complete, so that it can be used. */
  readonly isSetUp: boolean
}

/** The provider's values: folded up, since most never need them. */
export const SingleSignOn = ({ form, settings, isSetUp }: SingleSignOnProps) => {
  const { texts } = useSurroundings()
  const { sso } = texts.settings
  const fold = useRef<HTMLDetailsElement>(null)
  const isWrong = form.isAnswer && PROVIDER_FIELDS.some((field) => form.problems[field] !== undefined)
  useEffect(() => {
    if (isWrong && fold.current !== null) fold.current.open = true
  }, [isWrong])

  const common = { form, settings }
  return (
    <details ref={fold} class="fold">
      <summary>
        <h2>{sso.heading}</h2> <span class="hint">{isSetUp ? sso.setUp : sso.notSetUp}</span>
      </summary>
      <div class="fold-body">
        <p class="hint">{sso.lead}</p>
        {PROVIDER_FIELDS.map((field) =>
          field === 'clientSecret' ? (
            <ClientSecret key={field} {...common} />
          ) : (
            <SettingField key={field} {...common} field={field} />
          ),
        )}
      </div>
    </details>
  )
}

/** Never filled in: the window isn't told what is stored. */
const ClientSecret = ({ form, settings }: ProviderProps) => {
  const { texts } = useSurroundings()
  const { sso } = texts.settings
  const isStored = settings.clientSecret.source === 'user'
  const { removesSecret, removeSecret } = form
  const hint = removesSecret ? sso.secretRemoved : isStored ? sso.secretStored : sso.secretHint
  return (
    <SettingField form={form} settings={settings} field="clientSecret" hint={hint} onInput={() => removeSecret(false)}>
      {isStored && (
        <button type="button" class="link" onClick={() => removeSecret(!removesSecret)}>
          {removesSecret ? sso.keepSecret : sso.removeSecret}
        </button>
      )}
    </SettingField>
  )
}
