import { useEffect, useRef, useState } from 'preact/hooks'
import { FLOWS, type Flow } from '../../../contract/setting-rows.ts'
import { isUsedBy, missingValues, PROVIDER_FIELDS, SETTINGS, type SettingsView } from '../../../contract/settings.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ChoiceField } from './choice-field.tsx'
import { SettingField } from './setting-field.tsx'
import type { SettingsForm } from './use-settings-form.ts'

interface ProviderProps {
  readonly form: SettingsForm
  readonly settings: SettingsView
}

interface SingleSignOnProps extends ProviderProps {
  readonly isSetUp: boolean
}

/** The identity provider's values. This section is collapsed, because most users never need it. */
export const SingleSignOn = ({ form, settings, isSetUp }: SingleSignOnProps) => {
  const { texts } = useSurroundings()
  const { sso } = texts.settings
  const fold = useRef<HTMLDetailsElement>(null)
  const isWrong = form.isAnswer && PROVIDER_FIELDS.some((field) => form.problems[field] !== undefined)
  useEffect(() => {
    if (isWrong && fold.current !== null) fold.current.open = true
  }, [isWrong])

  const [flow, setFlow] = useState(flowOf(settings))
  const missing = missingValues(settings)
  const common = { form, settings }
  return (
    <details ref={fold} class="fold">
      <summary>
        <h2>{sso.heading}</h2> <span class="hint">{isSetUp ? sso.setUp : sso.notSetUp}</span>
      </summary>
      <div class="fold-body">
        <p class="hint">{missing.length > 0 ? texts.signIn.incomplete(missing).body : sso.lead}</p>
        {PROVIDER_FIELDS.filter((field) => isUsedBy(flow, field)).map((field) =>
          field === 'clientSecret' ? (
            <ClientSecret key={field} {...common} />
          ) : field === 'flow' ? (
            <ChoiceField
              key={field}
              {...common}
              field={field}
              options={FLOWS}
              labels={texts.settings.flows}
              value={flow}
              onValue={setFlow}
            />
          ) : (
            <SettingField key={field} {...common} field={field} />
          ),
        )}
      </div>
    </details>
  )
}

const flowOf = ({ flow }: SettingsView): Flow => FLOWS.find((each) => each === flow.value) ?? SETTINGS.flow.default

/** The field is empty at first, because the window never receives the stored secret. */
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
