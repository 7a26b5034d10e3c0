/** The doctor at work, beside the app and in its window. Loaded when somebody asks for it. */
// The window says what is found in the user's language. What is printed and what is saved is English everywhere: it goes
// into tickets, to people who read many of them.
import { loadDoctorTexts } from '../text/doctor.ts'
import { loadTexts, type Texts } from '../text/index.ts'
import type { Location, LocationProblem } from './agent/location.ts'
import type { Examination } from './doctor/check-up.ts'
import { doctorCommand, type Output } from './doctor/command.ts'
import { renderDiagnostics } from './doctor/diagnostics.ts'
import { runDoctor } from './doctor/doctor.ts'
import type { Line } from './doctor/line.ts'
import { doctorPorts, thisPerson } from './doctor-ports.ts'
import type { Foundation } from './foundation.ts'
import { within } from './session/within.ts'
import type { SettingsProblem } from './settings/problems.ts'
import { settingsNotice } from './settings/problems.ts'

export interface Surroundings {
  /** Sentences about what of the settings can't be used. */
  readonly notices: (texts: Texts) => readonly string[]
  /** The data folder, the log and the like: what it is, and its path. */
  readonly places: readonly (readonly [string, string])[]
  /** Why the log can't be written, as the system's error code. */
  readonly logProblem: string | undefined
  readonly agent: Location | LocationProblem
}

/** How long the keychain may take to give the client secret, before the checks begin: milliseconds. */
const PATIENCE = 3_000

/** Examines what the running app uses, and tells of it in the language of the texts. */
export async function examine(foundation: Foundation, surroundings: Surroundings, texts: Texts): Promise<Examination> {
  const doctor = await loadDoctorTexts(texts)
  return { lines: runDoctor(doctorPorts(foundation, { ...texts, doctor }, surroundings)), texts: doctor }
}

/** Examines without the app, and prints what is found; answers the exit code. */
export async function examineAlone(
  foundation: Foundation,
  { problems, ...surroundings }: Omit<Surroundings, 'notices'> & { readonly problems: readonly SettingsProblem[] },
  output: Output,
): Promise<0 | 1> {
  const { settings, networkProblems, clock } = foundation
  const texts = await loadTexts('en')
  const doctor = await loadDoctorTexts(texts)
  await within(clock, PATIENCE, settings.readClientSecrets(), undefined)
  const all = [...problems, ...settings.problems, ...(await networkProblems())]
  const notices = () => all.map((each) => settingsNotice(each, texts))
  return doctorCommand(doctorPorts(foundation, { ...texts, doctor }, { ...surroundings, notices }), output)
}

/** Examines anew; what is found and the last lines of the log, as a text to hand to a person who helps. */
export async function diagnose(
  foundation: Foundation,
  surroundings: Surroundings,
  log: readonly string[],
): Promise<string> {
  const { lines, texts } = await examine(foundation, surroundings, await loadTexts('en'))
  const found: Line[] = []
  for await (const line of lines) found.push(line)
  return renderDiagnostics({ lines: found, log, at: foundation.clock.wall() }, thisPerson(), texts)
}
