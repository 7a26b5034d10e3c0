import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SETTING_FIELDS } from '../../../contract/settings.ts'
import type { AppView } from '../../../contract/views.ts'
import { isSameAddress } from '../../parts/address.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { fieldsOf } from '../../parts/hooks.ts'
import { Notice, TroubleNotice } from '../../parts/notice.tsx'
import { About } from './about.tsx'
import { Connections } from './connections.tsx'
import { Desktop } from './desktop.tsx'
import { SettingField } from './setting-field.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { useSettingsForm } from './use-settings-form.ts'

interface SettingsProps {
  readonly view: AppView
  /** Whether "About Latchkey" is shown instead. What was typed in the form is kept. */
  readonly about: boolean
  readonly onAbout: () => void
  readonly onClose: (saved: boolean) => void
}

export const Settings = ({ view, about, onAbout, onClose }: SettingsProps) => (
  <>
    <div class="settings" hidden={about}>
      <SettingsForm view={view} onClose={onClose}>
        <Connections connections={view.connections} mayAddConnections={view.mayAddConnections} />
        <Desktop agent={view.agent} startAtLogin={view.startAtLogin} />
        <AboutButton about={about} onAbout={onAbout} />
      </SettingsForm>
    </div>
    {about && <About view={view} />}
  </>
)

interface SettingsFormProps {
  readonly view: AppView
  readonly onClose: (saved: boolean) => void
  readonly children: ComponentChildren
}

const SettingsForm = ({ view: { settings, connection, session }, onClose, children }: SettingsFormProps) => {
  const { texts } = useSurroundings()
  const form = useSettingsForm(settings, onClose)
  const { inputs, problems, trouble, saving, isAnswer } = form
  const [isElsewhere, setElsewhere] = useState(false)
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

  return (
    <form noValidate aria-busy={saving} onSubmit={form.submit}>
      <div class="intro">
        <ArrivalHeading>{texts.settings.heading}</ArrivalHeading>
      </div>
      <SettingField form={form} settings={settings} field="baseAddress" onInput={compare} />
      <SingleSignOn
        form={form}
        settings={settings}
        isSetUp={connection?.grants.some(({ issuer }) => issuer === 'identityProvider') ?? false}
      />
      {children}
      {trouble !== undefined && fieldsOf(trouble) === undefined && (
        <TroubleNotice trouble={trouble} during="settings" host={undefined} role="alert" />
      )}
      <div class="foot">
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
      </div>
    </form>
  )
}

/** Has the focus again when the user comes back from there. */
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
