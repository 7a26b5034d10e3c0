import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { InputField, InputName, InputValues } from '../../contract/input-fields.ts'
import { CapsLock, useCapsLock } from './caps-lock.tsx'
import { useSurroundings } from './context.ts'
import { Field, type FieldProps } from './field.tsx'
import { type CallError, isFailure } from './hooks.ts'

type Problem = 'usernameColon' | `${InputName}Missing`

const isSecret = ({ kind }: InputField): boolean => kind !== 'text'

// SECURITY: no regular expression reads a secret, because `RegExp.input` would keep the secret.
function problemOf({ name, sentAs }: InputField, input: HTMLInputElement | null): Problem | undefined {
  if (input === null || input.value.length === 0) return `${name}Missing`
  return sentAs === 'basicUsername' && input.value.includes(':') ? 'usernameColon' : undefined
}

/** The inputs of a form that the contract describes. Typed text is kept only in the page's inputs, not in state. */
export function useInputs(fields: readonly InputField[]) {
  const refs = useRef(new Map<InputName, { current: HTMLInputElement | null }>())
  const [wrong, setWrong] = useState<{ readonly name: InputName; readonly problem: Problem }>()
  const ref = (name: InputName) => {
    const known = refs.current.get(name) ?? { current: null }
    refs.current.set(name, known)
    return known
  }
  return {
    fields,
    ref,
    wrong,
    /** Marks and focuses the first invalid field. */
    check(): boolean {
      for (const field of fields) {
        const input = ref(field.name).current
        const problem = problemOf(field, input)
        if (problem === undefined) continue
        setWrong({ name: field.name, problem })
        input?.focus()
        return false
      }
      setWrong(undefined)
      return true
    },
    /** Removes the mark. Call this when a value has changed. */
    clear: () => setWrong(undefined),
    /** SECURITY: the values are for one call; don't store them. */
    values: (): InputValues => Object.fromEntries(fields.map(({ name }) => [name, ref(name).current?.value ?? ''])),
    /** Empties the secret fields after a success or a refusal. A refusal also moves the focus to one of them. */
    answered(error: CallError | undefined) {
      const isRefused = isFailure(error, 'rejected')
      if (error !== undefined && !isRefused) return
      const secrets = fields.filter(isSecret).flatMap(({ name }) => ref(name).current ?? [])
      for (const input of secrets) input.value = ''
      if (isRefused) secrets[0]?.focus()
    },
  }
}

interface InputFieldsProps {
  readonly inputs: ReturnType<typeof useInputs>
  readonly username?: string | undefined
  readonly usernameHint?: string | undefined
  readonly readOnly: boolean
  readonly describedBy?: string
}

export const InputFields = ({ inputs, username = '', usernameHint, readOnly, describedBy }: InputFieldsProps) => {
  const { texts } = useSurroundings()
  const { fields, ref, wrong, clear } = inputs
  const arrived = useRef(fields)
  useLayoutEffect(() => {
    const first = arrived.current.find(({ name }) => ref(name).current?.value === '')
    if (first !== undefined) ref(first.name).current?.focus()
  }, [])
  return fields.map((field) => {
    const { name, autocomplete } = field
    const common = {
      label: texts.fields[name],
      input: ref(name),
      name,
      autocomplete,
      error: wrong?.name === name ? texts.fieldErrors[wrong.problem] : undefined,
      readOnly,
      describedBy,
      onInput: clear,
    }
    if (isSecret(field)) return <SecretField key={name} {...common} isHidden={field.kind === 'password'} />
    const ofUser = name === 'username' ? { initial: username, hint: usernameHint } : {}
    return <Field key={name} {...common} {...ofUser} />
  })
}

interface SecretFieldProps extends FieldProps {
  readonly isHidden: boolean
}

const SecretField = ({ isHidden, ...props }: SecretFieldProps) => {
  const { texts, isCheck } = useSurroundings()
  const capsLock = useCapsLock()
  const [isShown, setShown] = useState(false)
  const { input } = props
  useLayoutEffect(() => {
    const field = input.current
    setShown(false)
    return () => {
      // SECURITY: deletes the text. A removed input may stay in memory, and the user may show the check to others.
      if (field !== null) field.value = ''
    }
  }, [input, isCheck])
  if (!isHidden) return <Field {...props} />
  return (
    <>
      <Field
        {...props}
        type={isShown ? 'text' : 'password'}
        onKey={capsLock.onKey}
        onBlur={capsLock.onBlur}
        aside={
          <button type="button" class="link aside" onClick={() => setShown(!isShown)}>
            {isShown ? texts.buttons.hidePassword : texts.buttons.showPassword}
          </button>
        }
      />
      <CapsLock on={capsLock.on} />
    </>
  )
}
