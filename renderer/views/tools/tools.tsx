import { useState } from 'preact/hooks'
import { DEFAULT_CONNECTION } from '../../../contract/connection-names.ts'
import type { AppView } from '../../../contract/views.ts'
import { Choice } from '../../parts/choice.tsx'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { useNow } from '../../parts/hooks.ts'
import { ToolName } from '../../parts/tool-name.tsx'
import { Gateway } from './gateway.tsx'
import { Snippet } from './snippet.tsx'
import { type CodeTool, NAMES, snippetsFor, TOOLS, type Tool } from './snippets.ts'
import type { AgentState } from './tools-card.tsx'

const NEEDS_NO_AGENT: readonly Tool[] = ['gateway', 'ai']

interface ToolsProps {
  readonly view: AppView
  readonly address: string
  readonly agent: AgentState
  readonly first?: Tool | undefined
  /** Shows the result of an action; `undefined` removes it. */
  readonly say: (text: string | undefined) => void
}

export const Tools = ({ view, address, agent, first = TOOLS[0], say }: ToolsProps) => {
  const { texts } = useSurroundings()
  const words = texts.tools
  const offered = TOOLS.filter((each) => agent.enabled || NEEDS_NO_AGENT.includes(each))
  const [chosen, choose] = useState<Tool>(first)
  // The agent may be turned off while this view is open.
  const tool = offered.includes(chosen) ? chosen : (offered[0] ?? chosen)
  const labels = { ...NAMES, gateway: words.gateway.name, ai: words.ai, other: words.other }
  const onCopied = (isCopied: boolean) => say(isCopied ? words.copied : words.notCopied)
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{words.heading}</ArrivalHeading>
        <LastUse agent={agent} />
      </div>
      <Choice
        label={words.choice}
        options={offered.map((value) => ({ value, label: labels[value] }))}
        value={tool}
        onChange={(next) => {
          say(undefined)
          choose(next)
        }}
      />
      {tool === 'gateway' ? (
        <Gateway view={view} onCopied={onCopied} say={say} />
      ) : (
        <Code tool={tool} address={address} connection={view.shown} agent={agent} onCopied={onCopied} />
      )}
    </>
  )
}

interface CodeProps {
  readonly tool: CodeTool
  readonly address: string
  readonly connection: string
  readonly agent: AgentState
  readonly onCopied: (isCopied: boolean) => void
}

const Code = ({ tool, address, connection, agent, onCopied }: CodeProps) => {
  const words = useSurroundings().texts.tools
  const { install, installInNotebook, use } = snippetsFor({
    address,
    connection: connection === DEFAULT_CONNECTION ? undefined : connection,
    isPowerShell: agent.shell === 'powershell',
    command: agent.command,
    replace: words.replace,
  })[tool]
  const label = {
    python: words.use,
    r: words.use,
    node: words.use,
    shell: agent.shell === 'powershell' ? words.inTerminal : words.inTerminalWithPath,
    ai: words.inTerminal,
    other: words.start,
  }[tool]
  const snippet = (heading: string, code: string | undefined) =>
    code !== undefined && <Snippet key={`${tool} ${heading}`} label={heading} code={code} onCopied={onCopied} />
  return (
    <>
      {snippet(words.install, install)}
      {tool === 'python' && (
        <p class="hint">{words.inVenv(agent.shell === 'powershell' ? '.venv\\Scripts\\python' : '.venv/bin/python')}</p>
      )}
      {snippet(words.installInNotebook, installInNotebook)}
      {snippet(label, use)}
      {tool === 'ai' && <p class="hint">{words.aiHint}</p>}
      {tool === 'other' && <p class="hint">{words.startHint}</p>}
    </>
  )
}

/** This line isn't in a live region, because it changes often. */
const LastUse = ({ agent: { enabled, problem, uses } }: { readonly agent: AgentState }) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const [last] = uses
  if (!enabled) return <p class="lead">{texts.agent.off}</p>
  if (problem !== undefined) return <p class="lead">{problem}</p>
  if (last === undefined) return <p class="lead">{texts.agent.unused}</p>
  return (
    <p class="lead last-use">
      <ToolName use={last} /> <span class="figures">· {texts.agent.used(last.count, last.lastAt, now)}</span>
    </p>
  )
}
