import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SETTING_FIELDS } from '../../../contract/settings.ts'
import type { AppView } from '../../../contract/views.ts'
import { isSameAddress } from '../../parts/address.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { fieldsOf } from '../../parts/hooks.ts'
import { Notice } from '../../parts/notice.tsx'
import { Question } from '../../parts/question.tsx'
import { useGuard } from '../../parts/unsaved.ts'
import { AddressError } from '../address-error.tsx'
import { About } from './about.tsx'
import { Connections } from './connections.tsx'
import { Desktop } from './desktop.tsx'
import { SettingField } from './setting-field.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { useAddition } from './use-addition.ts'
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts'

interface SettingsProps {
  readonly view: AppView
  /** True if "About Latchkey" is shown instead of the settings. Typed values are kept. */
  readonly about: boolean
  readonly onAbout: () => void
  readonly onClose: (saved: boolean) => void
}

export const Settings = ({ view, about, onAbout, onClose }: SettingsProps) => {
  const form = useSettingsForm(view.settings)
  const addition = useAddition()
  /** Opens the view that the user has requested. Set while the user is asked about the typed values. */
  const [leave, setLeave] = useState<(() => void) | undefined>(undefined)
  const isBusy = form.saving || addition.adding

  useGuard((go) => {
    // While the values are being saved, the user may leave without a question.
    const isLost = !isBusy && (form.isChanged() || addition.isFilled())
    if (isLost) setLeave(() => go)
    return isLost
  })

  /**
   * Saves all typed values, whichever button was pressed.
   * @param anyway The form whose address is saved even if no server answers.
   */
  const save = async (done: (saved: boolean) => void, anyway?: 'connection' | 'addition') => {
    if (isBusy) return
    const isChanged = form.isChanged()
    if (isChanged && !(await form.save(anyway === 'connection'))) return
    if (addition.isFilled() && !(await addition.add(anyway === 'addition'))) return
    done(isChanged)
  }
  const add = async (anyway?: 'addition') => {
    if (addition.isFilled()) return save(onClose, anyway)
    // The form is empty, so this call only shows which values are missing.
    if (!isBusy) await addition.add()
  }

  return (
    <>
      {leave !== undefined && (
        <Leaving
          onSave={() => {
            setLeave(undefined)
            void save(leave)
          }}
          onDiscard={() => {
            setLeave(undefined)
            leave()
          }}
          onKeep={() => setLeave(undefined)}
        />
      )}
      <div class="settings" hidden={about}>
        <ConnectionForm view={view} form={form} onSave={(anyway) => void save(onClose, anyway)} />
        <Connections
          connections={view.connections}
          mayAddConnections={view.mayAddConnections}
          addition={addition}
          onAdd={(anyway) => void add(anyway)}
        />
        <Desktop switches={view.switches} />
        <AboutButton about={about} onAbout={onAbout} />
      </div>
      {about && <About view={view} />}
    </>
  )
}

interface LeavingProps {
  readonly onSave: () => void
  readonly onDiscard: () => void
  readonly onKeep: () => void
}

/** Asks the user to save or discard the typed values. */
const Leaving = ({ onSave, onDiscard, onKeep }: LeavingProps) => {
  const { title, body, save, discard, keep } = useSurroundings().texts.settings.unsaved
  const answers = [
    { label: save, act: onSave },
    { label: discard, act: onDiscard },
    { label: keep, act: onKeep },
  ] as const
  return <Question title={title} body={body} answers={answers} onEscape={onKeep} />
}

interface ConnectionFormProps {
  readonly view: AppView
  readonly form: SettingsForm
  readonly onSave: (anyway?: 'connection') => void
}

/** The settings of the shown connection. */
const ConnectionForm = ({ view: { settings, connection, session }, form, onSave }: ConnectionFormProps) => {
  const { texts } = useSurroundings()
  const { inputs, problems, error, saving, isAnswer } = form
  const [isElsewhere, setElsewhere] = useState(false)
  const wrong = Object.keys(problems).length
  const kept = 'kept' in session ? session.kept : undefined

  // After an attempt to save, the first wrong value gets the focus.
  useLayoutEffect(() => {
    if (!isAnswer) return
    const first = SETTING_FIELDS.find((field) => problems[field] !== undefined)
    if (first !== undefined) inputs[first].current?.focus()
  }, [isAnswer, problems, inputs])

  const compare = () => {
    const typed = inputs.baseAddress.current?.value.trim() ?? ''
    setElsewhere(typed !== '' && connection !== undefined && !isSameAddress(typed, connection.baseAddress))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSave()
  }

  return (
    <form noValidate aria-busy={saving} onSubmit={submit}>
      <div class="intro">
        <ArrivalHeading>{texts.settings.heading}</ArrivalHeading>
      </div>
      <h2>{texts.settings.connection}</h2>
      <SettingField form={form} settings={settings} field="baseAddress" onInput={compare} />
      <SettingField form={form} settings={settings} field="displayName" />
      <SingleSignOn
        form={form}
        settings={settings}
        isSetUp={connection?.grants.some(({ issuer }) => issuer === 'identityProvider') ?? false}
      />
      <AddressError
        error={error !== undefined && fieldsOf(error) === undefined ? error : undefined}
        host={form.host}
        onChange={form.changeAddress}
        onAnyway={() => onSave('connection')}
      />
      {isAnswer && wrong > 1 && (
        <p class="field-error" role="alert">
          {texts.settings.toCorrect(wrong)}
        </p>
      )}
      <div class="leaving" role="status">
        {isElsewhere && problems.baseAddress === undefined && kept !== undefined && connection !== undefined && (
          <Notice tone="warn">
            <p>{texts.settings.leaving(connection.host, kept)}</p>
          </Notice>
        )}
      </div>
      <button type="submit" aria-disabled={saving}>
        {saving ? texts.buttons.saving : texts.buttons.save}
      </button>
    </form>
  )
}

/** Opens "About Latchkey", and gets the focus when the user returns from there. */
const AboutButton = ({ about, onAbout }: { readonly about: boolean; readonly onAbout: () => void }) => {
  const { texts } = useSurroundings()
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(about)
  useLayoutEffect(() => {
    if (was.current && !about) button.current?.focus()
    was.current = about
  }, [about])
  return (
    <p>
      <button ref={button} type="button" class="link" onClick={onAbout}>
        {texts.settings.about.open}
      </button>
    </p>
  )
}
