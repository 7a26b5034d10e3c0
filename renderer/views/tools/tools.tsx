import { useState } from 'preact/hooks'
import { DEFAULT_CONNECTION } from '../../../contract/connection-names.ts'
import { Choice } from '../../parts/choice.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { useNow } from '../../parts/hooks.ts'
import { ToolName } from '../../parts/tool-name.tsx'
import type { AgentState } from '../access.ts'
import { Snippet } from './snippet.tsx'
import { snippetsFor, TOOLS, type Tool } from './snippets.ts'

interface ToolsProps {
  /** The service's base address. */
  readonly address: string
  /** The connection's name. */
  readonly connection: string
  readonly agent: AgentState
}

/** Instructions for the user's own tools, ready to copy, and the tool that asked for a token last. */
export const Tools = ({ address, connection, agent }: ToolsProps) => {
  const { texts } = useSurroundings()
  const [tool, setTool] = useState<Tool>(TOOLS[0])
  const [said, say] = useState('')
  const snippets = snippetsFor({
    address,
    connection: connection === DEFAULT_CONNECTION ? undefined : connection,
    isPowerShell: agent.shell === 'powershell',
  })[tool]
  const tellCopied = (isCopied: boolean) => say(isCopied ? texts.tools.copied : texts.tools.notCopied)
  const label = tool === 'shell' ? texts.tools.inTerminal : tool === 'other' ? texts.tools.start : texts.tools.use
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{texts.tools.heading}</ArrivalHeading>
        <LastUse agent={agent} />
      </div>
      <Choice
        label={texts.tools.choice}
        options={TOOLS.map((value) => ({ value, label: value === 'other' ? texts.tools.other : NAMES[value] }))}
        value={tool}
        onChange={(next) => {
          say('')
          setTool(next)
        }}
      />
      {snippets.install !== undefined && (
        <Snippet key={`install ${tool}`} label={texts.tools.install} code={snippets.install} onCopied={tellCopied} />
      )}
      <Snippet key={tool} label={label} code={snippets.use} onCopied={tellCopied} />
      {tool === 'other' && <p class="hint">{texts.tools.startHint}</p>}
      <p class="hint" role="status">
        {said}
      </p>
    </>
  )
}

/** The choices' names that are the same in every language. */
const NAMES = { python: 'Python', r: 'R', node: 'Node', shell: 'Shell' } satisfies Record<
  Exclude<Tool, 'other'>,
  string
>

/** The tool that asked for a token last, and how many seconds ago. Not in a live region, because it changes often. */
const LastUse = ({ agent: { enabled, problem, uses } }: { readonly agent: AgentState }) => {
  const { texts } = useSurroundings()
  const now = useNow(1_000)
  const [last] = uses
  if (!enabled) return <p class="lead">{texts.agent.off}</p>
  if (problem !== undefined) return <p class="lead">{problem}</p>
  if (last === undefined) return <p class="lead">{texts.agent.unused}</p>
  return (
    <p class="lead last-use">
      <ToolName use={last} /> <span class="figures">{texts.tools.asked(last.lastAt, now)}</span>
    </p>
  )
}
