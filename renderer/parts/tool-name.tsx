import type { ToolUse } from '../../contract/views.ts'

/** A tool's name; for a tool on a remote machine, after that machine's name. */
export const labelOf = ({ host, name }: ToolUse): string => (host === undefined ? name : `${host}: ${name}`)

/** SECURITY: the tool chose its name. `bdi` keeps right-to-left characters from reordering the text around it. */
export const ToolName = ({ use }: { readonly use: ToolUse }) => <bdi title={labelOf(use)}>{labelOf(use)}</bdi>
