import { recentUses } from '../../contract/recent-uses.ts'
import type { ToolUse } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { Question } from '../parts/question.tsx'

interface SigningOutProps {
  readonly uses: readonly ToolUse[]
  readonly onStay: () => void
  readonly onSignOut: () => void
}

export const SigningOut = ({ uses, onStay, onSignOut }: SigningOutProps) => {
  const { title, body, stay, signOut } = useSurroundings().texts.session.signingOut
  return (
    <Question
      title={title}
      body={body(Math.max(1, recentUses(uses, Date.now()).length))}
      answers={[
        { label: stay, act: onStay },
        {
          label: signOut,
          act: () => {
            onStay()
            onSignOut()
          },
        },
      ]}
      onEscape={onStay}
      isMain
    />
  )
}
