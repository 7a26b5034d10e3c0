import type { TargetedKeyboardEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isNewConnectionName } from '../../../contract/connection-names.ts'
import type { AppView, NamedConnectionView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Field } from '../../parts/field.tsx'
import { fieldsOf, useCall } from '../../parts/hooks.ts'
import { TroubleNotice } from '../../parts/notice.tsx'

type ConnectionsProps = Pick<AppView, 'connections' | 'mayAddConnections'>

/** The list of connections; the user's own can be added and removed. */
export const Connections = ({ connections, mayAddConnections }: ConnectionsProps) => {
  const { texts } = useSurroundings()
  const words = texts.connections
  return (
    <details class="fold">
      <summary>
        <h2>{words.heading}</h2>
      </summary>
      <div class="fold-body">
        <p class="hint">{mayAddConnections ? words.lead : words.managed}</p>
        <ul class="connection-list">
          {connections.map((each) => (
            <Line key={each.name} {...each} />
          ))}
        </ul>
        {mayAddConnections && <Add />}
      </div>
    </details>
  )
}

const Line = ({ name, connection, isOwn }: NamedConnectionView) => {
  const { api, texts } = useSurroundings()
  const words = texts.connections
  const { pending, trouble, run } = useCall()
  return (
    <li>
      <p class="row">
        <span>{words.line(name, connection?.host)}</span>
        {isOwn && (
          <button
            type="button"
            class="link"
            aria-disabled={pending}
            onClick={() => run(() => api.removeConnection({ name }))}
          >
            {pending ? words.removing : words.remove(name)}
          </button>
        )}
      </p>
      {trouble !== undefined && (
        <TroubleNotice
          trouble={trouble}
          during="session"
          host={connection?.host}
          body={words.stillThere}
          role="alert"
        />
      )}
    </li>
  )
}

/** Not a form of its own: it is inside one. */
const Add = () => {
  const { api, texts } = useSurroundings()
  const words = texts.connections
  const name = useRef<HTMLInputElement>(null)
  const address = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const { pending, trouble, run, clear } = useCall()
  const problems = trouble === undefined ? undefined : fieldsOf(trouble)
  const say = (field: 'name' | 'baseAddress') => {
    const problem = problems?.[field]
    return problem && texts.settings.problem('baseAddress', problem)
  }

  const submit = () => {
    if (pending) return
    const called = name.current?.value.trim() ?? ''
    const isName = isNewConnectionName(called)
    setWrong(called === '' ? words.nameMissing : isName ? undefined : words.notAName)
    clear()
    if (!isName) return name.current?.focus()
    run(
      () => api.addConnection({ name: called, baseAddress: address.current?.value.trim() ?? '' }),
      (result) => {
        if (result === undefined) return
        const found = fieldsOf(result)
        if (found !== undefined) (found.name === undefined ? address : name).current?.focus()
      },
    )
  }

  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.isComposing) return
    // Otherwise it would submit the form around it.
    event.preventDefault()
    if (event.type === 'keydown') submit()
  }
  const common = { readOnly: pending, autocomplete: 'off', onKey } as const

  return (
    <>
      <Field
        {...common}
        label={words.name}
        input={name}
        hint={
          <>
            {words.nameHint} <code>latchkey token --connection staging</code>
          </>
        }
        error={wrong ?? say('name')}
        name="connectionName"
        onInput={() => setWrong(undefined)}
      />
      <Field
        {...common}
        label={words.address}
        input={address}
        error={say('baseAddress')}
        name="connectionAddress"
        onInput={clear}
      />
      {trouble !== undefined && problems === undefined && (
        <TroubleNotice trouble={trouble} during="settings" host={undefined} role="alert" />
      )}
      <button type="button" class="plain" aria-disabled={pending} onClick={submit}>
        {pending ? words.adding : words.add}
      </button>
    </>
  )
}
