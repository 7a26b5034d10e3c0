import { useState } from 'preact/hooks'
import { useSurroundings } from '../../parts/context.ts'
import { CheckThisComputer, Status } from '../../parts/status.tsx'
import type { Licence } from './licences.ts'

export const About = ({ version }: { readonly version: string }) => {
  const { about } = useSurroundings().texts.settings
  return (
    <>
      <Status title={about.heading} focuses remedy={<CheckThisComputer />}>
        <p>{about.help}</p>
      </Status>
      <WhatEnds />
      <Licences />
      <p class="hint">{about.version(version)}</p>
    </>
  )
}

const WhatEnds = () => {
  const { heading, ends, keepsHeading, keeps } = useSurroundings().texts.sessionEnd.whatEnds
  const list = (items: readonly string[]) => (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
  return (
    <details class="fold">
      <summary>
        <h2>{heading}</h2>
      </summary>
      <div class="fold-body ends">
        {list(ends)}
        <h3>{keepsHeading}</h3>
        {list(keeps)}
      </div>
    </details>
  )
}

/** The list of third-party packages is loaded only when the user expands it. */
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
    <p>
      <b>
        {name} {version}
      </b>
      <span>{licence}</span>
    </p>
    {repository !== undefined && <p class="hint">{repository}</p>}
  </li>
)
