import type { ToolName as Name } from '../../contract/views.ts'
import { labelOf } from '../../text/state.ts'

export const ToolName = ({ use }: { readonly use: Name }) => <bdi title={labelOf(use)}>{labelOf(use)}</bdi>
