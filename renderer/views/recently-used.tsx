import type { AgentView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { Notice } from '../parts/notice.tsx'

/** How many tools are told by name. */
const MOST = 5

/** Which tools were handed an access token lately, or why none can be. Moves once a minute. */
export const RecentlyUsed = ({ agent }: { readonly agent: AgentView }) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const { enabled, problem, uses } = agent
  if (!enabled) return <p class="hint">{texts.agent.off}</p>
  return (
    <>
      {problem !== undefined && (
        <Notice tone="warn" title={texts.agent.troubleTitle}>
          <p>{problem}</p>
        </Notice>
      )}
      {problem === undefined && uses.length === 0 && <p class="hint">{texts.agent.unused}</p>}
      {uses.length > 0 && (
        <section class="uses">
          <h2>{texts.agent.usedBy}</h2>
          <ul>
            {uses.slice(0, MOST).map(({ name, lastAt, count }) => (
              // SECURITY: the name is the tool's own word: shown as text, apart from ours, whichever way it is written.
              <li key={name} class="row">
                <bdi title={name}>{name}</bdi>
                <span class="hint">{texts.agent.used(count, lastAt, now)}</span>
              </li>
            ))}
            {uses.length > MOST && <li class="hint">{texts.agent.more(uses.length - MOST)}</li>}
          </ul>
        </section>
      )}
    </>
  )
}
