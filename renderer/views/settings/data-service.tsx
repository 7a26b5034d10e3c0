import { useEffect, useRef, useState } from 'preact/hooks'
import { GATEWAY_METHODS, type GatewayMethods } from '../../../contract/setting-rows.ts'
import { SETTINGS, type SettingsView } from '../../../contract/settings.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ChoiceField } from './choice-field.tsx'
import { DATA_FIELDS } from './fields.ts'
import { SettingField } from './setting-field.tsx'
import type { SettingsForm } from './use-settings-form.ts'

interface DataServiceProps {
  readonly form: SettingsForm
  readonly settings: SettingsView
  readonly hasProblem: boolean
}

/** Where the data is, and the gateway's port. This section is collapsed, because most users never need it. */
export const DataService = ({ form, settings, hasProblem }: DataServiceProps) => {
  const { texts } = useSurroundings()
  const { data, gatewayMethods } = texts.settings
  const fold = useRef<HTMLDetailsElement>(null)
  const isWrong = form.isAnswer && DATA_FIELDS.some((field) => form.problems[field] !== undefined)
  useEffect(() => {
    if (isWrong && fold.current !== null) fold.current.open = true
  }, [isWrong])
  const [methods, setMethods] = useState(methodsOf(settings))
  const common = { form, settings }
  return (
    <details ref={fold} class="fold" open={hasProblem}>
      <summary>
        <h2>{data}</h2>
      </summary>
      <div class="fold-body">
        <SettingField {...common} field="dataAddress" />
        <SettingField {...common} field="gatewayPort" />
        <ChoiceField
          {...common}
          field="gatewayMethods"
          options={GATEWAY_METHODS}
          labels={gatewayMethods}
          value={methods}
          onValue={setMethods}
        />
      </div>
    </details>
  )
}

const methodsOf = ({ gatewayMethods }: SettingsView): GatewayMethods =>
  GATEWAY_METHODS.find((each) => each === gatewayMethods.value) ?? SETTINGS.gatewayMethods.default
