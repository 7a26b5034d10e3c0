/** Sample data, for tests only. */
import { type DesktopSwitch, SETTINGS, USER_SWITCHES, type UserSwitch } from './settings.ts'
import type { SwitchesView, SwitchView } from './views.ts'

/** `undefined`: this system can't store the switch. */
type Given = { readonly [N in UserSwitch]?: SwitchView | (N extends DesktopSwitch ? undefined : never) }

/** All switches. A switch that isn't given has its default; if it has no default, it is off. */
export function switchesOf(given: Given = {}): SwitchesView {
  const views = USER_SWITCHES.flatMap((name) => {
    const view = name in given ? given[name] : { enabled: SETTINGS[name].default ?? false }
    return view === undefined ? [] : [[name, view] as const]
  })
  return Object.fromEntries(views) as SwitchesView
}
