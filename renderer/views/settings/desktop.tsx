import { useId } from 'preact/hooks'
import { isLocked, USER_SWITCHES } from '../../../contract/settings.ts'
import type { SwitchesView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Switch } from '../../parts/switch.tsx'
import { managedBy } from './fields.ts'

export const Desktop = ({ switches }: { readonly switches: SwitchesView }) => {
  const { api, texts } = useSurroundings()
  const { heading, hint, switches: labels } = texts.settings.desktop
  const id = useId()
  return (
    <section class="switches">
      <h2>{heading}</h2>
      <p id={id} class="hint">
        {hint}
      </p>
      {USER_SWITCHES.map((name) => {
        const state = switches[name]
        if (state === undefined) return undefined
        return (
          <Switch
            key={name}
            label={labels[name]}
            on={state.enabled}
            locked={isLocked(name, state.source)}
            reason={managedBy(name, state, texts)}
            describedBy={id}
            set={(enabled) => api.setSwitch({ name, enabled })}
          />
        )
      })}
    </section>
  )
}
