import { useState } from 'preact/hooks'
import { DEFAULT_CONNECTION } from '../../../contract/connection-names.ts'
import { Choice } from '../../parts/choice.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { useNow } from '../../parts/hooks.ts'
import { ToolName } from '../../parts/tool-name.tsx'
import { Snippet } from './snippet.tsx'
import { NAMES, snippetsFor, TOOLS, type Tool } from './snippets.ts'
import type { AgentState } from './tools-card.tsx'

interface ToolsProps {
  /** The service's base address. */
  readonly address: string
  /** The connection's name. */
  readonly connection: string
  readonly agent: AgentState
  /** The tool that is shown first. */
  readonly first?: Tool | undefined
}

/** Instructions for the user's own tools, ready to copy, and the tool that asked for a token last. */
export const Tools = ({ address, connection, agent, first = TOOLS[0] }: ToolsProps) => {
  const { texts } = useSurroundings()
  const words = texts.tools
  const [tool, setTool] = useState<Tool>(first)
  const [said, say] = useState('')
  const { install, installInNotebook, use } = snippetsFor({
    address,
    connection: connection === DEFAULT_CONNECTION ? undefined : connection,
    isPowerShell: agent.shell === 'powershell',
    command: agent.command,
    replace: words.replace,
  })[tool]
  const labels = { ...NAMES, file: words.file, other: words.other }
  const snippet = (label: string, code: string | undefined) =>
    code !== undefined && (
      <Snippet
        key={`${tool} ${label}`}
        label={label}
        code={code}
        onCopied={(isCopied) => say(isCopied ? words.copied : words.notCopied)}
      />
    )
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{words.heading}</ArrivalHeading>
        <LastUse agent={agent} />
      </div>
      <Choice
        label={words.choice}
        options={TOOLS.map((value) => ({ value, label: labels[value] }))}
        value={tool}
        onChange={(next) => {
          say('')
          setTool(next)
        }}
      />
      {tool === 'file' && <p class="hint">{words.fileHint}</p>}
      {snippet(words.install, install)}
      {snippet(words.installInNotebook, installInNotebook)}
      {snippet(tool === 'shell' ? words.inTerminal : tool === 'other' ? words.start : words.use, use)}
      {tool === 'other' && <p class="hint">{words.startHint}</p>}
      <p class="hint" role="status">
        {said}
      </p>
    </>
  )
}

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
