import type { AppView } from '../../../contract/views.ts'
import { useSurroundings } from '../../parts/context.ts'
import { ConnectionLine } from '../../parts/header.tsx'
import { ArrivalHeading } from '../../parts/heading.tsx'
import { placed } from '../../parts/opened.ts'
import { Desktop } from './desktop.tsx'

export const Settings = ({ view }: { readonly view: AppView }) => {
  const { api, texts, open } = useSurroundings()
  const { connections, shown, mayAddConnections, switches } = view
  const openConnection = (name: string) => {
    // Calls about settings apply to the shown connection.
    if (name !== shown) api.showConnection({ name }).catch(() => {})
    open({ screen: 'connectionSettings', connection: name })
  }
  return (
    <>
      <ArrivalHeading>{texts.settings.heading}</ArrivalHeading>
      <section class="rows">
        <h2>{texts.connections.heading}</h2>
        <ul>
          {connections.map((each) => (
            <li key={each.name}>
              <button
                type="button"
                class="row"
                {...placed(`connection ${each.name}`)}
                onClick={() => openConnection(each.name)}
              >
                <ConnectionLine {...each} />
              </button>
            </li>
          ))}
        </ul>
        {mayAddConnections ? (
          <button type="button" class="row" {...placed('add')} onClick={() => open({ screen: 'addConnection' })}>
            {texts.connections.addOne}
          </button>
        ) : (
          <p class="hint">{texts.connections.managed}</p>
        )}
      </section>
      <Desktop switches={switches} />
      <section class="rows">
        <button type="button" class="row" {...placed('about')} onClick={() => open({ screen: 'about' })}>
          {texts.settings.about.heading}
        </button>
      </section>
    </>
  )
}
