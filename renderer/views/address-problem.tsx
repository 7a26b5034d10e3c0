import type { TargetedMouseEvent } from 'preact'
import type { Failure, FailureCode } from '../../contract/failures.ts'
import { useSurroundings } from '../parts/context.ts'
import type { CallError } from '../parts/hooks.ts'
import { Problem } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-sign-in.tsx'

/** After these failures, the address may still be right, because it may work later or on another network. */
const MAY_BE_RIGHT: readonly FailureCode[] = ['unreachable', 'untrustedCertificate', 'proxyAuthenticationRequired']

export const mayBeRight = (error: CallError | undefined): error is Failure =>
  error !== undefined && error !== 'unexpected' && MAY_BE_RIGHT.includes(error.code)

interface AddressProblemProps {
  readonly error: CallError
  readonly host: string | undefined
  readonly onAnyway: () => void
  readonly isMain?: boolean
}

export const AddressProblem = ({ error, host, onAnyway, isMain = true }: AddressProblemProps) => {
  const { texts } = useSurroundings()
  // The clicked button disappears with the problem, so the form's submit button gets the focus.
  const goOn = ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>) => {
    currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
    onAnyway()
  }
  return (
    <Problem
      error={error}
      during="settings"
      host={host}
      isMain={isMain}
      role="alert"
      remedy={
        mayBeRight(error) && (
          <>
            <ProxyAsks error={error} />
            <button type="button" class="plain" onClick={goOn}>
              {texts.buttons.continueAnyway}
            </button>
          </>
        )
      }
    />
  )
}
