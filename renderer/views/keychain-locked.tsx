import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'

export const KeychainLocked = ({ onSignIn }: { readonly onSignIn: () => void }) => {
  const { texts } = useSurroundings()
  return (
    <>
      <div class="intro">
        <ArrivalHeading>{texts.keychainLocked.heading}</ArrivalHeading>
        <p class="lead">{texts.keychainLocked.lead}</p>
      </div>
      <p>{texts.keychainLocked.body}</p>
      <div class="foot">
        <button type="button" onClick={onSignIn}>
          {texts.buttons.signIn}
        </button>
      </div>
    </>
  )
}
