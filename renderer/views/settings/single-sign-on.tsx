import { useEffect, useRef, useState } from 'preact/hooks'
import { FLOWS, type Flow } from '../../../contract/setting-rows.ts'
import { isLocked, isUsedBy, missingValues, SETTINGS, type SettingsView } from '../../../contract/settings.ts'
import { Choice } from '../../parts/choice.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { managedBy, PROVIDER_FIELDS } from './fields.ts'
import { SettingField } from './setting-field.tsx'
import type { SettingsForm } from './use-settings-form.ts'

interface ProviderProps {
  readonly form: SettingsForm
  readonly settings: SettingsView
}

interface SingleSignOnProps extends ProviderProps {
  /** True if the values are complete, so that single sign-on can be used. */
  readonly isSetUp: boolean
}

/** The provider's values: collapsed, because most users never need them. */
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
            <FlowField key={field} {...common} flow={flow} onFlow={setFlow} />
          ) : (
            <SettingField key={field} {...common} field={field} />
          ),
        )}
      </div>
    </details>
  )
}

const flowOf = ({ flow }: SettingsView): Flow => FLOWS.find((each) => each === flow.value) ?? SETTINGS.flow.default

interface FlowFieldProps extends ProviderProps {
  readonly flow: Flow
  readonly onFlow: (flow: Flow) => void
}

/** The choice of the sign-in method. A hidden input contains it, so that the form can read it like any other value. */
const FlowField = ({ form, settings, flow, onFlow }: FlowFieldProps) => {
  const { texts } = useSurroundings()
  const label = texts.settings.labels.flow
  const managed = managedBy('flow', settings.flow, texts)
  const isLockedHere = isLocked('flow', settings.flow.source)
  const choose = (next: Flow) => {
    const input = form.inputs.flow.current
    if (isLockedHere || form.saving || input === null) return
    input.value = next === SETTINGS.flow.default ? '' : next
    onFlow(next)
    form.changed('flow')
  }
  return (
    <div class="field">
      <input ref={form.inputs.flow} type="hidden" name="flow" defaultValue={settings.flow.value ?? ''} />
      {/* Hidden from assistive technology, which gets the same label from `Choice`. */}
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <Choice
        label={label}
        options={FLOWS.map((each) => ({ value: each, label: texts.settings.flows[each] }))}
        value={flow}
        onChange={choose}
      />
      {managed !== undefined && <p class="hint">{managed}</p>}
    </div>
  )
}

/** The field of the client secret. Empty at first, because the window never receives the stored value. */
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
