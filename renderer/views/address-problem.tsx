import type { TargetedMouseEvent } from 'preact'
import type { Failure, FailureCode } from '../../contract/failures.ts'
import { useSurroundings } from '../parts/context.ts'
import type { CallError } from '../parts/hooks.ts'
import { Problem } from '../parts/status.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

/** These failures don't mean that the address is wrong: the address may work later, or on another network. */
const MAY_BE_RIGHT: readonly FailureCode[] = ['unreachable', 'untrustedCertificate', 'proxyAuthenticationRequired']

export const mayBeRight = (error: CallError | undefined): error is Failure =>
  error !== undefined && error !== 'unexpected' && MAY_BE_RIGHT.includes(error.code)

interface AddressProblemProps {
  readonly error: CallError
  /** The host that was tried. */
  readonly host: string | undefined
  readonly onAnyway: () => void
  readonly isMain?: boolean
}

/** Says why a typed address was not saved. If no server answers, the user can change the address or save it anyway. */
export const AddressProblem = ({ error, host, onAnyway, isMain = true }: AddressProblemProps) => {
  const { texts } = useSurroundings()
  // The button disappears with the problem, so the focus goes where the user can follow what happens.
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
