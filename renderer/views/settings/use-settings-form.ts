import { createRef } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  SETTING_FIELDS,
  type SettingField,
  type SettingProblems,
  type SettingsView,
} from '../../../contract/settings.ts'
import { hostOf } from '../../parts/address.ts'
import { useSurroundings } from '../../parts/context.ts'
import { fieldsOf, useCall } from '../../parts/hooks.ts'
import { type Changes, changes, changesWithSecret, type Inputs, isFilled } from './fields.ts'

const CHECK_AFTER_MS = 400

export type SettingsForm = ReturnType<typeof useSettingsForm>

const without = (problems: SettingProblems, field: SettingField): SettingProblems => {
  const { [field]: _, ...rest } = problems
  return rest
}

export function useSettingsForm(settings: SettingsView) {
  const { api } = useSurroundings()
  const inputs = useRef<Inputs>(
    Object.fromEntries(SETTING_FIELDS.map((field) => [field, createRef<HTMLInputElement>()])) as Inputs,
  ).current
  const [problems, setProblems] = useState<SettingProblems>({})
  /** True if the problems result from an attempt to save. */
  const [isAnswer, setAnswer] = useState(false)
  /** The host of the last address that the user tried to save; absent if the address was unchanged. */
  const [host, setHost] = useState<string | undefined>(undefined)
  const [removesSecret, removeSecret] = useState(false)
  const { pending: saving, error, run, clear } = useCall()
  const touched = useRef(new Set<SettingField>()).current
  /** The saved values as the user typed them: the settings may have them in a normalised form. */
  const saved = useRef<Changes>({})
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** The number of the latest check or save. The result of an earlier check or save is ignored. */
  const turn = useRef(0)

  const stopChecking = useCallback(() => {
    clearTimeout(timer.current)
    turn.current += 1
  }, [])
  useEffect(() => stopChecking, [stopChecking])

  useLayoutEffect(() => {
    const secret = inputs.clientSecret.current
    return () => {
      // SECURITY: a removed input may stay in memory, so its text is deleted.
      if (secret !== null) secret.value = ''
    }
  }, [inputs])

  const check = async () => {
    const mine = ++turn.current
    const outcome = await api.checkSettings(changes(inputs, settings))
    if (turn.current !== mine) return
    const found = outcome.ok ? {} : (outcome.failure.fields ?? {})
    // Only changed fields show a problem. The client secret isn't sent here, so the result says nothing about it.
    const told = Object.entries(found).filter(
      ([field]) => touched.has(field as SettingField) && field !== 'clientSecret',
    )
    setProblems(({ clientSecret }) => ({ ...Object.fromEntries(told), ...(clientSecret && { clientSecret }) }))
    setAnswer(false)
  }

  const changed = (field: SettingField) => {
    touched.add(field)
    setProblems((before) => without(before, field))
    clear()
    stopChecking()
    // If the check fails, saving will report the problems.
    timer.current = setTimeout(() => void check().catch(() => {}), CHECK_AFTER_MS)
  }

  const isChanged = (): boolean => {
    const typed = Object.entries(changes(inputs, settings))
    const isNew = typed.some(([field, value]) => saved.current[field as SettingField] !== value)
    return isNew || removesSecret || isFilled(inputs, 'clientSecret')
  }

  /** Saves all values or none. Unless `anyway` is true, a server must answer at a changed address. */
  const save = (anyway = false): Promise<boolean> => {
    stopChecking()
    const { baseAddress } = changes(inputs, settings)
    setHost(baseAddress === undefined ? undefined : hostOf(baseAddress))
    const tryAddress = baseAddress !== undefined && !anyway
    return new Promise((resolve) => {
      run(
        () =>
          api.saveSettings({
            ...changesWithSecret(inputs, settings, removesSecret),
            ...(tryAddress && { tryAddress }),
          }),
        (result) => {
          const found = result === undefined ? {} : (fieldsOf(result) ?? {})
          // A value with a problem is treated as changed, so that later checks still report the problem.
          for (const field of SETTING_FIELDS) if (found[field] !== undefined) touched.add(field)
          setProblems(found)
          setAnswer(true)
          if (result === undefined) {
            saved.current = changes(inputs, settings)
            if (inputs.clientSecret.current !== null) inputs.clientSecret.current.value = ''
            removeSecret(false)
          }
          resolve(result === undefined)
        },
      )
    })
  }

  return {
    inputs,
    problems,
    error,
    saving,
    removesSecret,
    isAnswer,
    changed,
    removeSecret,
    isChanged,
    host,
    save,
  }
}
