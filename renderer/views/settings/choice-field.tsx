import { isLocked, SETTINGS, type SettingsView } from '../../../contract/settings.ts'
import { Choice } from '../../parts/choice.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { managedBy } from './fields.ts'
import type { SettingsForm } from './use-settings-form.ts'

interface ChoiceFieldProps<V extends string> {
  readonly form: SettingsForm
  readonly settings: SettingsView
  readonly field: 'flow' | 'gatewayMethods'
  readonly options: readonly V[]
  readonly labels: Readonly<Record<V, string>>
  readonly value: V
  readonly onValue: (value: V) => void
}

/** A setting with a few possible values. A hidden input holds the chosen one, so the form reads it like typed text. */
export const ChoiceField = <V extends string>(props: ChoiceFieldProps<V>) => {
  const { form, settings, field, options, labels, value, onValue } = props
  const { texts } = useSurroundings()
  const label = texts.settings.labels[field]
  const managed = managedBy(field, settings[field], texts)
  const choose = (next: V) => {
    const input = form.inputs[field].current
    if (isLocked(field, settings[field].source) || form.saving || input === null) return
    input.value = next === SETTINGS[field].default ? '' : next
    onValue(next)
    form.changed(field)
  }
  return (
    <div class="field">
      <input ref={form.inputs[field]} type="hidden" name={field} defaultValue={settings[field].value ?? ''} />
      {/* Hidden from screen readers, because `Choice` has the same label. */}
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <Choice
        label={label}
        options={options.map((each) => ({ value: each, label: labels[each] }))}
        value={value}
        onChange={choose}
      />
      {managed !== undefined && <p class="hint">{managed}</p>}
    </div>
  )
}
