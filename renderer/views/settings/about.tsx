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
  const { pending, error, run } = useCall()
  const [isAnswered, setAnswered] = useState(false)
  const save = () => {
    setAnswered(false)
    run(api.saveDiagnostics, () => setAnswered(true))
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
          {isAnswered && savedDiagnostics !== undefined ? about.saved(savedDiagnostics) : about.diagnosticsHint}
        </p>
        <button type="button" class="plain" aria-disabled={pending} onClick={save}>
          {pending ? texts.buttons.saving : texts.buttons.saveDiagnostics}
        </button>
      </div>
    </>
  )
}

/** The list of packages is loaded when the user expands it. */
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
