import type { ComponentChildren } from 'preact'
import { type SettingField as FieldName, isLocked, SETTINGS, type SettingsView } from '../../../contract/settings.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Field } from '../../parts/field.tsx'
import { INPUTS, managedBy } from './fields.ts'
import type { SettingsForm } from './use-settings-form.ts'

export type TypedField = Exclude<FieldName, 'flow' | 'gateway' | 'gatewayMethods'>

interface SettingFieldProps {
  readonly form: SettingsForm
  readonly settings: SettingsView
  readonly field: TypedField
  readonly hint?: string | undefined
  readonly onInput?: () => void
  readonly children?: ComponentChildren
}

export const SettingField = (props: SettingFieldProps) => {
  const { form, settings, field, hint, onInput, children } = props
  const { texts } = useSurroundings()
  const { kind, default: placeholder } = SETTINGS[field]
  const hints: { readonly [F in FieldName]?: string } = texts.settings.hints
  const locked = isLocked(field, settings[field].source)
  const problem = form.problems[field]
  return (
    <Field
      label={texts.settings.labels[field]}
      input={form.inputs[field]}
      name={field}
      {...INPUTS[kind]}
      initial={settings[field].value ?? ''}
      placeholder={locked ? undefined : placeholder}
      readOnly={locked || form.saving}
      hint={managedBy(field, settings[field], texts) ?? hint ?? hints[field]}
      error={problem && texts.settings.problem(field, problem)}
      errorRole={!form.isAnswer ? 'status' : Object.keys(form.problems).length > 1 ? 'none' : 'alert'}
      onInput={() => {
        form.changed(field)
        onInput?.()
      }}
    >
      {locked ? undefined : children}
    </Field>
  )
}
