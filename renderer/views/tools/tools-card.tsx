import { useState } from 'preact/hooks'
import type { AgentView, SwitchView } from '../../../contract/views.ts'
import { labelOf } from '../../../text/state.ts'
import { useSurroundings } from '../../parts/context.ts'
import { useNow } from '../../parts/hooks.ts'
import { placed } from '../../parts/opened.ts'
import { ToolName } from '../../parts/tool-name.tsx'
import { NAMES, type Tool } from './snippets.ts'

const MOST = 5

export type AgentState = AgentView & SwitchView

const TILES = ['python', 'r', 'shell', 'gateway'] as const satisfies readonly Tool[]

export const ToolsCard = ({ agent: { enabled, uses } }: { readonly agent: AgentState }) => {
  const { texts, open } = useSurroundings()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const words = texts.tools
  if (uses.length === 0 || !enabled) {
    return (
      <section class="card" aria-label={words.heading}>
        <h2>{words.heading}</h2>
        <div class="tiles">
          {TILES.filter((tool) => enabled || tool === 'gateway').map((tool) => (
            <button
              key={tool}
              type="button"
              class="tile"
              {...placed(`tool ${tool}`)}
              onClick={() => open({ screen: 'tools', tool })}
            >
              <b>{tool === 'gateway' ? words.gateway.name : NAMES[tool]}</b>
              <small>{words.tiles[tool]}</small>
            </button>
          ))}
        </div>
      </section>
    )
  }
  return (
    <section class="card" aria-label={words.yours}>
      <h2>{words.yours}</h2>
      <ul class="uses">
        {uses.slice(0, isOpen ? uses.length : MOST).map((use) => (
          <li key={labelOf(use)}>
            <i aria-hidden="true">{/[\p{L}\p{N}]/u.exec(use.name)?.[0].toUpperCase()}</i>
            <ToolName use={use} />
            <small>{texts.agent.used(use.count, use.lastAt, now)}</small>
          </li>
        ))}
      </ul>
      {uses.length > MOST && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.agent.fewer : texts.agent.more(uses.length - MOST)}
        </button>
      )}
      <button type="button" class="link" {...placed('tools')} onClick={() => open({ screen: 'tools' })}>
        {words.another}
      </button>
    </section>
  )
}
