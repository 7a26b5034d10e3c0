import type { ConnectionView } from '../../preload/contract.ts'
import { BrandKey } from './brand-key.tsx'
import { useSurroundings } from './context.ts'

interface TopBarProps {
  /** Absent where the view itself tells it. */
  readonly connection: ConnectionView | undefined
  /** Says who manages the address, where it isn't the user's to change. */
  readonly explained: boolean
  readonly onChange: (() => void) | undefined
  readonly onBack: (() => void) | undefined
}

export const TopBar = ({ connection, explained, onChange, onBack }: TopBarProps) => {
  const { texts } = useSurroundings()
  const managed = explained && connection !== undefined ? texts.connection.managed(connection.source) : undefined
  return (
    <header>
      <BrandKey />
      <b>{texts.app}</b>
      {connection !== undefined && <span>{connection.host}</span>}
      {onChange !== undefined && (
        <button type="button" class="link" onClick={onChange}>
          {texts.buttons.change}
        </button>
      )}
      {onBack !== undefined && (
        <button type="button" class="link" onClick={onBack}>
          {texts.buttons.back}
        </button>
      )}
      {managed !== undefined && <p class="managed">{managed}</p>}
    </header>
  )
}
