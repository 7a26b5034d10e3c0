import { useState } from 'preact/hooks'
import type { AppView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { useCall } from '../../parts/hooks.ts'
import { ErrorNotice } from '../../parts/notice.tsx'
import { CheckComputer } from './check-computer.tsx'
import type { Licence } from './licences.ts'

export const About = ({ view: { version, check, savedDiagnostics } }: { readonly view: AppView }) => {
  const { api, texts } = useSurroundings()
  const { about } = texts.settings
  const saving = useCall()
  const showing = useCall()
  const error = saving.error ?? showing.error
  const [isAnswered, setAnswered] = useState(false)
  const isSaved = isAnswered && savedDiagnostics !== undefined
  const save = () => {
    setAnswered(false)
    showing.clear()
    saving.run(api.saveDiagnostics, () => setAnswered(true))
  }

  return (
    <>
      <div class="intro">
        <ArrivalHeading>{about.heading}</ArrivalHeading>
        <p class="lead">{about.version(version)}</p>
      </div>
      <p>{about.lead}</p>
      <p>{about.help}</p>
      <CheckComputer check={check} />
      <Licences />
      {error !== undefined && <ErrorNotice error={error} during="settings" host={undefined} role="alert" />}
      <div class="foot">
        <p class="hint" role="status">
          {isSaved ? about.saved(savedDiagnostics) : about.diagnosticsHint}
        </p>
        {isSaved && (
          <button type="button" class="link" onClick={() => showing.run(api.showDiagnostics)}>
            {texts.buttons.showInFolder}
          </button>
        )}
        <button type="button" class="plain" aria-disabled={saving.pending} onClick={save}>
          {saving.pending ? texts.buttons.saving : texts.buttons.saveDiagnostics}
        </button>
      </div>
    </>
  )
}

/** The third-party packages. The list is loaded when the user expands it. */
const Licences = () => {
  const { texts } = useSurroundings()
  const { about } = texts.settings
  const [licences, setLicences] = useState<readonly Licence[] | 'missing'>([])
  const load = () =>
    import('./licences.ts').then((module) => setLicences(module.licences)).catch(() => setLicences('missing'))
  return (
    <details class="fold" onToggle={load}>
      <summary>
        <h2>{about.licences}</h2>
      </summary>
      <div class="fold-body licences">
        {licences === 'missing' ? (
          <p class="hint">{about.noLicences}</p>
        ) : (
          <>
            <p class="hint">{about.licencesLead(licences.length)}</p>
            <ul>
              {licences.map((licence) => (
                <LicenceLine key={`${licence.name} ${licence.version}`} {...licence} />
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  )
}

const LicenceLine = ({ name, version, licence, repository }: Licence) => (
  <li>
    <p class="row">
      <b>
        {name} {version}
      </b>
      <span>{licence}</span>
    </p>
    {repository !== undefined && <p class="hint">{repository}</p>}
  </li>
)
