import { useRef, useState } from 'preact/hooks'
import { isLocked } from '../../contract/settings.ts'
import { useSurroundings } from '../parts/context.ts'
import { useCall, useNow } from '../parts/hooks.ts'
import { labelOf, ToolName } from '../parts/tool-name.tsx'
import { type AgentState, isServing } from './access.ts'

/** The number of tools shown before the list is expanded. */
const MOST = 5

/** Which tools received an access token recently, or why none can. Updated once a minute. */
export const RecentlyUsed = ({ agent }: { readonly agent: AgentState }) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const { enabled, problem, uses } = agent
  const focusHere = () => place.current?.focus()
  return (
    <div class="tools" ref={place} tabIndex={-1}>
      {!enabled && <TurnedOff agent={agent} onTurnedOn={focusHere} />}
      {problem !== undefined && <p>{problem}</p>}
      {isServing(agent) && uses.length === 0 && <p class="hint">{texts.agent.unused}</p>}
      {enabled && uses.length > 0 && (
        <section class="uses">
          <h3>{texts.agent.usedBy}</h3>
          <ul>
            {uses.slice(0, isOpen ? uses.length : MOST).map((use) => (
              <li key={labelOf(use)} class="row">
                <ToolName use={use} />
                <span class="hint">{texts.agent.used(use.count, use.lastAt, now)}</span>
              </li>
            ))}
          </ul>
          {uses.length > MOST && (
            <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? texts.agent.fewer : texts.agent.more(uses.length - MOST)}
            </button>
          )}
        </section>
      )}
    </div>
  )
}

interface TurnedOffProps {
  readonly agent: AgentState
  /** Called after the user has turned the agent on. The button disappears, so the focus must move elsewhere. */
  readonly onTurnedOn: () => void
}

/** Says that the agent is turned off, with a button if the user may turn it on. */
const TurnedOff = ({ agent, onTurnedOn }: TurnedOffProps) => {
  const { api, texts } = useSurroundings()
  const { pending, error, run } = useCall()
  if (isLocked('agent', agent.source)) return <p class="hint">{texts.agent.offByAdministrator}</p>
  const turnOn = () =>
    run(
      () => api.setSwitch({ name: 'agent', enabled: true }),
      (wrong) => wrong === undefined && onTurnedOn(),
    )
  return (
    <div>
      <p class="hint">{texts.agent.off}</p>
      <button type="button" class="link" aria-disabled={pending} onClick={turnOn}>
        {texts.agent.turnOn}
      </button>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {texts.settings.desktop.notSet}
        </p>
      )}
    </div>
  )
}
