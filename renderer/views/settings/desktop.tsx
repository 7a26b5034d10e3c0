import type { AgentView, AppView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Switch } from '../../parts/switch.tsx'

interface DesktopProps {
  readonly agent: AgentView
  /** Absent where the app can't start at login. */
  readonly startAtLogin: AppView['startAtLogin']
}

/** What Latchkey does on this computer. Each switch takes effect at once. */
export const Desktop = ({ agent, startAtLogin }: DesktopProps) => {
  const { api, texts } = useSurroundings()
  const { desktop, managed } = texts.settings
  return (
    <section class="switches">
      <h2>{desktop.heading}</h2>
      <Switch
        label={desktop.agent}
        on={agent.enabled}
        locked={agent.source === 'policy' ? managed('policy', '') : undefined}
        set={(enabled) => api.setAgent({ enabled })}
      />
      {startAtLogin !== undefined && (
        <Switch
          label={desktop.startAtLogin}
          on={startAtLogin.enabled}
          set={(enabled) => api.setStartAtLogin({ enabled })}
        />
      )}
    </section>
  )
}
