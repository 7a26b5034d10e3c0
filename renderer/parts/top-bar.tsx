import type { ConnectionSessionView } from '../../contract/views.ts'
import { BrandKey } from './brand-key.tsx'
import { connectionNameOf, inOneLine } from './connection-name.ts'
import { useSurroundings } from './context.ts'
import { Gear } from './gear.tsx'
import { opens } from './return-focus.ts'

interface TopBarProps {
  /** The shown connection; absent if the view below the bar already shows it. */
  readonly connection: ConnectionSessionView | undefined
  readonly onSettings: () => void
  /** Goes back to the previous view; absent if there is none. */
  readonly onBack: (() => void) | undefined
}

export const TopBar = ({ connection, onSettings, onBack }: TopBarProps) => {
  const { texts } = useSurroundings()
  return (
    <header>
      <BrandKey />
      <b>{texts.app}</b>
      {connection !== undefined && <span>{inOneLine(connectionNameOf(connection))}</span>}
      {onBack === undefined ? (
        <button
          key="settings"
          type="button"
          class="icon"
          {...opens('settings')}
          aria-label={texts.buttons.settings}
          title={texts.buttons.settings}
          onClick={onSettings}
        >
          <Gear />
        </button>
      ) : (
        <button key="back" type="button" class="link" onClick={onBack}>
          {texts.buttons.back}
        </button>
      )}
    </header>
  )
}
