import type { ToolName as Name } from '../../contract/views.ts'
import { labelOf } from '../../text/state.ts'

/** SECURITY: the same for a name in a text. FSI and PDI of Unicode keep it from reordering the text around it. */
export const isolatedLabelOf = (tool: Name): string => `\u2068${labelOf(tool)}\u2069`

/** SECURITY: the tool chose its name. `bdi` keeps right-to-left characters from reordering the text around it. */
export const ToolName = ({ use }: { readonly use: Name }) => <bdi title={labelOf(use)}>{labelOf(use)}</bdi>
