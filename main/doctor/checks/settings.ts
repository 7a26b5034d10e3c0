import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** What changes how the network is reached, in either case; the command line's own socket. */
const TELLING = /^(?:(?:https?|all|no)_proxy|latchkey_socket|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i

/** Every value that is set, and by whom, and the places that Latchkey uses. */
export function checkSettings({ settings, targets, texts }: Ports<'settings' | 'targets' | 'texts'>): Finding {
  const { values, problems, places, logProblem, env } = settings()
  const { settings: says } = texts.doctor
  const variables = Object.entries(env).filter(([name, value]) => TELLING.test(name) && value !== undefined)
  const details = [
    ...values.flatMap(({ name, value, source }) => (source === undefined ? [] : [says.value(name, value, source)])),
    ...variables.map(([name, value]) => says.variable(name, anonymous(value ?? ''))),
    ...places.map(([name, place]) => says.place(name, place)),
    ...problems,
  ]
  if (problems.length > 0) return { state: 'warning', ...says.problems(problems.length), details }
  if (targets.length === 0) return { state: 'warning', ...says.nothingSet, details }
  if (logProblem !== undefined) return { state: 'warning', ...says.noLog(logProblem), details }
  return { state: 'ok', sentence: says.good, details }
}

/** SECURITY: all that stands before a proxy's host may be its password, however it is written. */
const anonymous = (value: string): string => value.replace(/^([a-z\d+.-]+:\/\/)?.*@/is, '$1[secret]@')
