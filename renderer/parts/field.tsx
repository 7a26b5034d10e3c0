import type { ComponentChildren, RefObject, TargetedInputEvent, TargetedKeyboardEvent } from 'preact'
import { useId } from 'preact/hooks'

export interface FieldProps {
  readonly label: string
  readonly input: RefObject<HTMLInputElement | null>
  readonly name: string
  readonly type?: 'text' | 'password'
  readonly autocomplete: 'url' | 'username' | 'current-password' | 'new-password' | 'one-time-code' | 'off'
  readonly initial?: string
  readonly placeholder?: string | undefined
  readonly readOnly: boolean
  readonly onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void
  readonly onKey?: (event: TargetedKeyboardEvent<HTMLInputElement>) => void
  readonly onBlur?: () => void
  readonly hint?: ComponentChildren
  readonly describedBy?: string | undefined
  readonly error?: string | undefined
  /** `alert`: the error results from the user's action. `none`: the form announces several errors together. */
  readonly errorRole?: 'alert' | 'status' | 'none'
  /** A button at the end of the label's line. In the tab order, the button comes after the input. */
  readonly aside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A labelled input. It is uncontrolled, so that its value is never copied into state. */
export const Field = (props: FieldProps) => {
  const {
    label,
    input,
    type = 'text',
    initial = '',
    hint,
    describedBy: description,
    error,
    errorRole = 'alert',
    onKey,
    aside,
    children,
    ...rest
  } = props
  const id = useId()
  const describedBy = [description, error && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ')
  const attributes = {
    ...rest,
    id,
    ref: input,
    defaultValue: initial,
    autocapitalize: 'none',
    spellcheck: false,
    onKeyDown: onKey,
    onKeyUp: onKey,
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'password' ? <input {...attributes} type="password" /> : <input {...attributes} type="text" />}
      {aside}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" role={errorRole === 'none' ? undefined : errorRole}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
          {children !== undefined && <> {children}</>}
        </p>
      )}
    </div>
  )
}
