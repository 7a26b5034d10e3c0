import { createRef, type RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isNewConnectionName } from '../../../contract/connection-names.ts'
import { hostOf } from '../../parts/address.ts'
import { useSurroundings } from '../../parts/context.ts'
import { type CallError, fieldsOf, useCall } from '../../parts/hooks.ts'

const NAMES = ['name', 'baseAddress'] as const
export type AdditionField = (typeof NAMES)[number]

export interface Addition {
  readonly inputs: { readonly [F in AdditionField]: RefObject<HTMLInputElement | null> }
  /** The problem with each field, in words. */
  readonly problems: { readonly [F in AdditionField]?: string }
  /** Errors that belong to no single field. */
  readonly error: CallError | undefined
  readonly adding: boolean
  readonly changed: (field: AdditionField) => void
  /** True if at least one field is not empty. */
  readonly isFilled: () => boolean
  /** The host of the address in the last attempt to add the connection. */
  readonly host: string | undefined
  /** Adds the connection; resolves to true if it was added. Its address is tried first, unless `anyway` is true. */
  readonly add: (anyway?: boolean) => Promise<boolean>
  /** Clears the error and selects the address. */
  readonly changeAddress: () => void
}

/** The form that adds a connection. */
export function useAddition(): Addition {
  const { api, texts } = useSurroundings()
  const inputs = useRef({
    name: createRef<HTMLInputElement>(),
    baseAddress: createRef<HTMLInputElement>(),
  }).current
  const [problems, setProblems] = useState<Addition['problems']>({})
  const [host, setHost] = useState<string | undefined>(undefined)
  const { pending: adding, error, run, clear } = useCall()
  const typed = (field: AdditionField): string => inputs[field].current?.value.trim() ?? ''

  const show = (found: Addition['problems']): void => {
    setProblems(found)
    const first = NAMES.find((field) => found[field] !== undefined)
    if (first === undefined) return
    const input = inputs[first].current
    const fold = input?.closest('details')
    if (fold) fold.open = true
    input?.focus()
  }

  /** The problems that the form can find without a call. */
  const missing = (): Addition['problems'] => {
    const { nameMissing, notAName } = texts.connections
    const [name, address] = NAMES.map(typed)
    return {
      ...(isNewConnectionName(name ?? '') ? {} : { name: name === '' ? nameMissing : notAName }),
      ...(address === '' ? { baseAddress: texts.settings.problem('baseAddress', 'missing') } : {}),
    }
  }

  return {
    inputs,
    problems,
    error: error !== undefined && fieldsOf(error) === undefined ? error : undefined,
    adding,
    changed(field) {
      setProblems(({ [field]: _, ...rest }) => rest)
      clear()
    },
    isFilled: () => NAMES.some((field) => typed(field) !== ''),
    host,
    changeAddress() {
      clear()
      inputs.baseAddress.current?.select()
    },
    add(anyway = false) {
      const found = missing()
      show(found)
      clear()
      if (Object.keys(found).length > 0) return Promise.resolve(false)
      const values = { name: typed('name'), baseAddress: typed('baseAddress') }
      setHost(hostOf(values.baseAddress))
      return new Promise((resolve) => {
        run(
          () => api.addConnection({ ...values, ...(!anyway && { tryAddress: true }) }),
          (result) => {
            const refused = result === undefined ? {} : (fieldsOf(result) ?? {})
            const said = NAMES.flatMap((field) => {
              const problem = refused[field]
              return problem === undefined ? [] : [[field, texts.settings.problem('baseAddress', problem)] as const]
            })
            show(Object.fromEntries(said))
            resolve(result === undefined)
          },
        )
      })
    },
  }
}
