import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

export function checkSettings({ settings, targets, texts }: Ports<'settings' | 'targets' | 'texts'>): Finding {
  const {
    values,
    problems,
    isPolicyUnusable = false,
    isPolicyFaulty = false,
    incomplete = [],
    useless = [],
    variables,
    paths,
    logProblem,
  } = settings()
  const { settings: says } = texts.diagnostics
  const [problem, ...others] = problems
  const details = [
    ...others,
    ...values.map(({ name, value, source, where }) => says.value(name, value, source, where)),
    ...variables.map(({ name, value }) => says.variable(name, value)),
    ...paths.map(({ name, path, isMissing = false }) => says.path(name, path, isMissing)),
  ]
  if (problem !== undefined) {
    const { sentence, advice } = isPolicyUnusable ? says.policyUnusable : says.problems(problems.length)
    const state = isPolicyUnusable || isPolicyFaulty ? 'failed' : 'warning'
    return { state, sentence: `${sentence} ${problem}`, advice, details }
  }
  const [first] = incomplete
  if (first !== undefined) {
    const { sentence, advice } = says.incomplete(first.connection, first.missing)
    return { state: 'failed', sentence, advice: first.isFlowOpen ? `${advice} ${says.orBrowser}` : advice, details }
  }
  if (useless.length > 0) return { state: 'warning', ...says.useless(useless), details }
  if (targets.length === 0) return { state: 'warning', ...says.nothingSet, details }
  if (logProblem !== undefined) return { state: 'warning', ...says.noLog(logProblem), details }
  return { state: 'ok', sentence: says.good, details }
}
