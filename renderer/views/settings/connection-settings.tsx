import { useLayoutEffect, useState } from 'preact/hooks'
import { SETTING_FIELDS } from '../../../contract/settings.ts'
import type { AppView, ConnectionSessionView } from '../../../contract/views.ts'
import { isSameAddress } from '../../parts/address.ts'
import { AsksFirst } from '../../parts/asks-first.tsx'
import { nameOrHost } from '../../parts/connection-name.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { fieldsOf, useCall } from '../../parts/hooks.ts'
import { Question } from '../../parts/question.tsx'
import { Problem } from '../../parts/status.tsx'
import { useGuard } from '../../parts/unsaved.ts'
import { AddressProblem } from '../address-problem.tsx'
import { DataService } from './data-service.tsx'
import { SettingField } from './setting-field.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { useSettingsForm } from './use-settings-form.ts'

interface ConnectionSettingsProps {
  readonly view: AppView
  readonly current: ConnectionSessionView
  readonly onSaved: () => void
  readonly onRemoved: () => void
}

export const ConnectionSettings = ({ view, current, onSaved, onRemoved }: ConnectionSettingsProps) => {
  const { texts } = useSurroundings()
  const { settings, connection, session } = view
  const form = useSettingsForm(settings)
  const { inputs, problems, error, saving, isAnswer } = form
  /** What to do if the user agrees to leave; set only while the window asks about the typed values. */
  const [leave, setLeave] = useState<(() => void) | undefined>(undefined)
  const [isElsewhere, setElsewhere] = useState(false)
  const wrong = Object.keys(problems).length
  const kept = 'kept' in session ? session.kept : undefined

  useGuard((go) => {
    const isLost = !saving && form.isChanged()
    if (isLost) setLeave(() => go)
    return isLost
  })
  useLayoutEffect(() => {
    if (!isAnswer) return
    const first = SETTING_FIELDS.find((field) => problems[field] !== undefined)
    if (first !== undefined) inputs[first].current?.focus()
  }, [isAnswer, problems, inputs])

  const save = async (done: () => void, anyway = false) => {
    if (!saving && (await form.save(anyway))) done()
  }
  const compare = () => {
    const typed = inputs.baseAddress.current?.value.trim() ?? ''
    setElsewhere(typed !== '' && connection !== undefined && !isSameAddress(typed, connection.baseAddress))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (form.isChanged()) void save(onSaved)
  }
  const close = () => setLeave(undefined)
  const closing = (then: () => void) => () => {
    close()
    then()
  }
  return (
    <>
      {leave !== undefined && (
        <Question
          {...texts.settings.unsaved}
          answers={[
            { label: texts.settings.unsaved.save, act: closing(() => void save(leave)) },
            { label: texts.settings.unsaved.discard, act: closing(leave) },
            { label: texts.settings.unsaved.keep, act: close },
          ]}
          onEscape={close}
        />
      )}
      <form noValidate aria-busy={saving} onSubmit={submit}>
        <ArrivalHeading>{connection === undefined ? texts.state.notConfigured : nameOrHost(current)}</ArrivalHeading>
        <SettingField form={form} settings={settings} field="baseAddress" onInput={compare} />
        <SettingField form={form} settings={settings} field="displayName" />
        <SingleSignOn
          form={form}
          settings={settings}
          isSetUp={connection?.grants.some(({ issuer }) => issuer === 'identityProvider') ?? false}
        />
        <DataService form={form} settings={settings} hasProblem={'port' in view.gateway} />
        {error !== undefined && fieldsOf(error) === undefined && (
          <AddressProblem error={error} host={form.host} isMain={false} onAnyway={() => void save(onSaved, true)} />
        )}
        {isAnswer && wrong > 1 && (
          <p class="field-error" role="alert">
            {texts.settings.toCorrect(wrong)}
          </p>
        )}
        <p class="leaving" role="status">
          {isElsewhere &&
            problems.baseAddress === undefined &&
            kept !== undefined &&
            connection !== undefined &&
            texts.settings.leaving(connection.host, kept)}
        </p>
        <p class="unseen" role="status">
          {!saving && form.isChanged() && texts.settings.unsaved.body}
        </p>
        <div class="remedy saves">
          {(saving || form.isChanged()) && (
            <button type="submit" aria-disabled={saving}>
              {saving ? texts.buttons.saving : texts.buttons.save}
            </button>
          )}
        </div>
      </form>
      {current.isOwn && <Removal current={current} onRemoved={onRemoved} />}
    </>
  )
}

const Removal = ({
  current: { name, connection },
  onRemoved,
}: Pick<ConnectionSettingsProps, 'current' | 'onRemoved'>) => {
  const { api, texts } = useSurroundings()
  const words = texts.connections
  const { pending, error, run, clear } = useCall()
  return (
    <>
      <AsksFirst
        label={pending ? words.removing : words.remove(name)}
        look="link bad"
        isDisabled={pending}
        question={{ ...words.removal, title: words.removal.title(name) }}
        onAsk={clear}
        act={() =>
          run(
            () => api.removeConnection({ name }),
            (failed) => failed === undefined && onRemoved(),
          )
        }
      />
      {error !== undefined && (
        <Problem
          error={error}
          during="session"
          host={connection?.host}
          body={typeof error === 'object' && 'problem' in error ? undefined : words.stillThere}
          isMain={false}
          role="alert"
        />
      )}
    </>
  )
}
