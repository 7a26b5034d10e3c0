import type { Outcome } from '../../../contract/failures.ts'
import { type Source, USER_SWITCHES, type UserSwitch } from '../../../contract/settings.ts'
import type { AgentView, AppView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Switch } from '../../parts/switch.tsx'
import { managedBy } from './fields.ts'

interface DesktopProps {
  readonly agent: AgentView
  /** Absent if the app can't start at login. */
  readonly startAtLogin: AppView['startAtLogin']
}

interface SwitchState {
  readonly enabled: boolean
  readonly source?: Source
  readonly set: (input: { readonly enabled: boolean }) => Promise<Outcome>
}

/** Latchkey's behaviour on this computer. Each switch takes effect immediately. */
export const Desktop = ({ agent, startAtLogin }: DesktopProps) => {
  const { api, texts } = useSurroundings()
  const { heading, hint, switches: labels } = texts.settings.desktop
  const states: { readonly [N in UserSwitch]: SwitchState | undefined } = {
    agent: { ...agent, set: api.setAgent },
    startAtLogin: startAtLogin && { ...startAtLogin, set: api.setStartAtLogin },
  }
  return (
    <section class="switches">
      <h2>{heading}</h2>
      <p class="hint">{hint}</p>
      {USER_SWITCHES.map((name) => {
        const state = states[name]
        if (state === undefined) return undefined
        const { enabled, set } = state
        const locked = managedBy(name, state, texts)
        return (
          <Switch key={name} label={labels[name]} on={enabled} locked={locked} set={(on) => set({ enabled: on })} />
        )
      })}
    </section>
  )
}
