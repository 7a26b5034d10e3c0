import type { Report } from '../log/report.ts'

/** Does what the system may refuse, and says so where it does; answers whether it was done. */
export function attempt(where: string, act: () => unknown, report: Report): boolean {
  try {
    act()
    return true
  } catch (error) {
    report(where, error)
    return false
  }
}
