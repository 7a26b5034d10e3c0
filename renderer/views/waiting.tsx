import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'

/** While the session is restored. It shows only when that takes long enough to be noticed. */
export const Waiting = () => {
  const { texts } = useSurroundings()
  return (
    <div class="intro late" aria-busy="true">
      <ArrivalHeading>{texts.restoring.heading}</ArrivalHeading>
      <p class="lead">{texts.restoring.lead}</p>
    </div>
  )
}
