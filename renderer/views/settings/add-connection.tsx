import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNewConnectionName } from '../../../contract/connection-names.ts'
import { hostOf } from '../../parts/address.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Field } from '../../parts/field.tsx'
import { fieldsOf, useCall } from '../../parts/hooks.ts'
import { Status } from '../../parts/status.tsx'
import { AddressProblem } from '../address-problem.tsx'

interface Problems {
  readonly name?: string
  readonly baseAddress?: string
}

export const AddConnection = () => {
  const { api, texts } = useSurroundings()
  const words = texts.connections
  const name = useRef<HTMLInputElement>(null)
  const address = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [host, setHost] = useState<string | undefined>(undefined)
  const { pending, error, run, clear } = useCall()
  useLayoutEffect(() => name.current?.focus(), [])

  /** Returns true if there are problems to show. */
  const show = (found: Problems): boolean => {
    setProblems(found)
    const first = found.name !== undefined ? name : found.baseAddress !== undefined ? address : undefined
    first?.current?.focus()
    return first !== undefined
  }
  const add = (anyway: boolean) => {
    const values = { name: name.current?.value.trim() ?? '', baseAddress: address.current?.value.trim() ?? '' }
    clear()
    const isWrong = show({
      ...(!isNewConnectionName(values.name) && { name: values.name === '' ? words.nameMissing : words.notAName }),
      ...(values.baseAddress === '' && { baseAddress: texts.settings.problem('baseAddress', 'missing') }),
    })
    if (isWrong) return
    setHost(hostOf(values.baseAddress))
    run(
      () => api.addConnection({ ...values, ...(!anyway && { tryAddress: true }) }),
      (result) => {
        const refused = (result !== undefined && fieldsOf(result)) || {}
        const inWords = (field: 'name' | 'baseAddress') =>
          refused[field] && { [field]: texts.settings.problem('baseAddress', refused[field]) }
        show({ ...inWords('name'), ...inWords('baseAddress') })
      },
    )
  }
  const changed = () => {
    setProblems({})
    clear()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add(false)
  }
  const common = { readOnly: pending, autocomplete: 'off', onInput: changed } as const
  return (
    <form noValidate aria-busy={pending} onSubmit={submit}>
      {error === undefined || fieldsOf(error) !== undefined ? (
        <Status title={words.add}>
          <p>{words.lead}</p>
        </Status>
      ) : (
        <AddressProblem error={error} host={host} onAnyway={() => add(true)} />
      )}
      <Field
        {...common}
        label={words.name}
        input={name}
        hint={
          problems.name === undefined ? (
            <>
              {words.nameHint} <code>latchkey token --connection staging</code>
            </>
          ) : undefined
        }
        error={problems.name}
        name="connectionName"
      />
      <Field {...common} label={words.address} input={address} error={problems.baseAddress} name="connectionAddress" />
      <div class="remedy">
        <button type="submit" class={pending ? 'busy' : undefined} aria-disabled={pending}>
          {pending ? words.adding : words.add}
        </button>
      </div>
    </form>
  )
}
