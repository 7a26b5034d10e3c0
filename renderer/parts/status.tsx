import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure, FailureCode } from '../../contract/failures.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { Texts } from '../../text/index.ts'
import type { Operation } from '../../text/sentence.ts'
import { useSurroundings } from './context.ts'
import { Details } from './details.tsx'
import type { CallError } from './hooks.ts'
import { placed } from './opened.ts'

export interface StatusProps {
  readonly tone?: 'warn' | 'bad' | undefined
  readonly title: string
  readonly children?: ComponentChildren
  readonly remedy?: ComponentChildren
  /** The failure whose server text and details are shown below the remedy. */
  readonly failure?: Failure | undefined
  readonly issuer?: IssuerKind | undefined
  readonly isMain?: boolean
  readonly focuses?: boolean
  /** The id of a text that screen readers add to the heading when it takes the focus. */
  readonly describedBy?: string | undefined
  /** `alert` interrupts a screen reader, so it is only for the result of a user's action. */
  readonly role?: 'alert' | undefined
}

export const Status = (props: StatusProps) => {
  const {
    tone,
    title,
    children,
    remedy,
    failure,
    issuer = 'service',
    isMain = true,
    focuses = false,
    describedBy,
    role,
  } = props
  const box = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const hasArrived = useRef(false)
  // When the title changes, the heading takes the focus only if the control that had the focus has disappeared.
  useLayoutEffect(() => {
    if (focuses && (!hasArrived.current || document.activeElement === document.body)) heading.current?.focus()
    hasArrived.current = true
  }, [title])
  useLayoutEffect(() => {
    if (role === 'alert') box.current?.scrollIntoView({ block: 'nearest' })
  }, [role])
  // A sentence ends with a full stop; a heading doesn't.
  const shown = title.replace(/\.$/, '')
  return (
    <div ref={box} class={`status ${tone ?? ''}`} role={role}>
      {isMain ? (
        <h1 ref={heading} tabIndex={-1} aria-describedby={describedBy}>
          {shown}
        </h1>
      ) : (
        <strong>{shown}</strong>
      )}
      {children !== undefined && <div class="lead">{children}</div>}
      {remedy && <div class="remedy">{remedy}</div>}
      {failure !== undefined && <SmallPrint failure={failure} issuer={issuer} />}
    </div>
  )
}

/** The server's own text, quoted so that it is never mistaken for ours, and the details. */
export const SmallPrint = ({ failure, issuer }: { readonly failure: Failure; readonly issuer: IssuerKind }) => {
  const { texts } = useSurroundings()
  const { serverText = '', details, code } = failure
  return (
    <>
      {serverText !== '' && (
        <p class="server-text">
          {texts.says[issuer]} <q dir="auto">{serverText}</q>
        </p>
      )}
      {/* Invalid input was never sent, so there are no details. */}
      {code !== 'invalidInput' && <Details details={details} />}
    </>
  )
}

export interface ProblemProps extends Omit<StatusProps, 'title' | 'children' | 'failure'> {
  readonly error: CallError
  readonly during: Operation
  readonly host: string | undefined
  readonly title?: string | undefined
  readonly body?: ComponentChildren
  readonly wait?: number | undefined
}

export const Problem = (props: ProblemProps) => <Status {...statusOf(useSurroundings().texts, props)} />

export function statusOf(texts: Texts, props: ProblemProps): StatusProps {
  const { error, during, issuer = 'service', host, tone = 'bad', title, body, wait, remedy, ...rest } = props
  const failure = error === 'unexpected' ? undefined : error
  const sentence = failure === undefined ? texts.unexpected : texts.failure(failure, during, host, issuer)
  const isConnection = failure !== undefined && CONNECTION_ERRORS.includes(failure.code)
  const children =
    failure === undefined || wait === undefined || wait === 0 ? (
      <p>{(wait === 0 && texts.tryAgainNow) || (body ?? sentence.body)}</p>
    ) : (
      <Countdown still={sentence.body}>
        {texts.failure({ ...failure, retryAfter: Math.ceil(wait / 1_000) }, during, host, issuer).body}
      </Countdown>
    )
  const help = isConnection ? (
    <>
      {remedy}
      <CheckThisComputer />
    </>
  ) : (
    remedy
  )
  return { ...rest, tone, title: title ?? sentence.title, children, remedy: help, failure, issuer }
}

/** The failures whose cause may be this computer or its network. */
const CONNECTION_ERRORS: readonly FailureCode[] = [
  'unreachable',
  'untrustedCertificate',
  'proxyAuthenticationRequired',
  'malformedResponse',
]

export const CheckThisComputer = () => {
  const { texts, open } = useSurroundings()
  return (
    <button type="button" class="plain" {...placed('check')} onClick={() => open({ screen: 'check' })}>
      {texts.check.run}
    </button>
  )
}

/** A countdown. Screen readers announce only its first value. */
const Countdown = ({ still, children }: { readonly still: string; readonly children: string }) => (
  <p>
    <span class="unseen">{still}</span>
    <span class="figures" aria-hidden="true">
      {children}
    </span>
  </p>
)
