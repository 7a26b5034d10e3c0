import type { Report } from '../log/report.ts'

/** Does what the system may refuse, and says so where it does. */
export function attempt(where: string, act: () => unknown, report: Report): void {
  try {
    act()
  } catch (error) {
    report(where, error)
  }
}
