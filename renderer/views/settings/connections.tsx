import { useRef, useState } from 'preact/hooks'
import { isManagedSource } from '../../../contract/settings.ts'
import type { AppView, ConnectionSessionView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { Field } from '../../parts/field.tsx'
import { useCall } from '../../parts/hooks.ts'
import { ErrorNotice } from '../../parts/notice.tsx'
import { Question } from '../../parts/question.tsx'
import { AddressError } from '../address-error.tsx'
import type { Addition } from './use-addition.ts'

interface ConnectionsProps extends Pick<AppView, 'connections' | 'mayAddConnections'> {
  readonly addition: Addition
  /** Called when the user adds the entered connection. `anyway`: even if no server answers at its address. */
  readonly onAdd: (anyway?: 'addition') => void
}

/** The list of connections; users can add and remove their own. */
export const Connections = ({ connections, mayAddConnections, addition, onAdd }: ConnectionsProps) => {
  const { texts } = useSurroundings()
  const words = texts.connections
  const summary = useRef<HTMLElement>(null)
  const hasManaged = connections.some(({ connection }) => isManagedSource(connection?.source))
  return (
    <details class="fold">
      <summary ref={summary}>
        <h2>{words.heading}</h2>
      </summary>
      <div class="fold-body">
        <p class="hint">{mayAddConnections ? words.lead : words.managed}</p>
        <ul class="connection-list">
          {connections.map((each) => (
            <Line
              key={each.name}
              {...each}
              isMarked={each.isOwn && hasManaged}
              onRemoved={() => summary.current?.focus()}
            />
          ))}
        </ul>
        {mayAddConnections && <Add addition={addition} onAdd={onAdd} />}
      </div>
    </details>
  )
}

interface LineProps extends ConnectionSessionView {
  /** True if the list should mark the user's own connections. */
  readonly isMarked: boolean
  readonly onRemoved: () => void
}

const Line = ({ name, connection, isOwn, isMarked, onRemoved }: LineProps) => {
  const { api, texts } = useSurroundings()
  const words = texts.connections
  const [asks, setAsks] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { pending, error, run, clear } = useCall()

  const ask = () => {
    clear()
    setAsks(true)
  }
  const remove = () => {
    setAsks(false)
    button.current?.focus()
    run(
      () => api.removeConnection({ name }),
      (result) => result === undefined && onRemoved(),
    )
  }
  const keep = () => {
    setAsks(false)
    button.current?.focus()
  }

  return (
    <li>
      <p class="row">
        <span>{words.line(name, connection?.host)}</span>
        {isMarked && <span class="hint">{words.own}</span>}
        {isOwn && (
          <button ref={button} type="button" class="link" aria-disabled={pending} onClick={() => !pending && ask()}>
            {pending ? words.removing : words.remove(name)}
          </button>
        )}
      </p>
      {asks && (
        <Question
          title={words.removal.title(name)}
          body={words.removal.body}
          answers={[
            { label: words.removal.keep, act: keep },
            { label: words.removal.confirm, act: remove },
          ]}
          onEscape={keep}
        />
      )}
      {error !== undefined && (
        <ErrorNotice
          error={error}
          during="session"
          host={connection?.host}
          body={typeof error === 'object' && 'problem' in error ? undefined : words.stillThere}
          role="alert"
        />
      )}
    </li>
  )
}

const Add = ({ addition, onAdd }: Pick<ConnectionsProps, 'addition' | 'onAdd'>) => {
  const { texts } = useSurroundings()
  const words = texts.connections
  const { inputs, problems, error, adding, changed, host, changeAddress } = addition
  const common = { readOnly: adding, autocomplete: 'off' } as const
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onAdd()
  }
  return (
    <form noValidate aria-busy={adding} onSubmit={submit}>
      <Field
        {...common}
        label={words.name}
        input={inputs.name}
        hint={
          <>
            {words.nameHint} <code>latchkey token --connection staging</code>
          </>
        }
        error={problems.name}
        name="connectionName"
        onInput={() => changed('name')}
      />
      <Field
        {...common}
        label={words.address}
        input={inputs.baseAddress}
        error={problems.baseAddress}
        name="connectionAddress"
        onInput={() => changed('baseAddress')}
      />
      <AddressError error={error} host={host} onChange={changeAddress} onAnyway={() => onAdd('addition')} />
      <button type="submit" class="plain" aria-disabled={adding}>
        {adding ? words.adding : words.add}
      </button>
    </form>
  )
}
