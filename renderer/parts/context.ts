import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { LatchkeyApi } from '../../contract/calls.ts'
import type { Texts } from '../../text/index.ts'
import type { Step } from '../screen.ts'

export interface Surroundings {
  readonly api: LatchkeyApi
  readonly texts: Texts
  readonly open: (step: Step) => void
  readonly isCheck: boolean
}

const context = createContext<Surroundings | undefined>(undefined)

export const SurroundingsProvider = context.Provider

export function useSurroundings(): Surroundings {
  const surroundings = useContext(context)
  if (surroundings === undefined) throw new Error('rendered outside of App')
  return surroundings
}
