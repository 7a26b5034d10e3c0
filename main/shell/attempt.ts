/** Does what the system may refuse, and says so where it does. */
export function attempt(act: () => unknown, report: (line: string) => void): void {
  try {
    act()
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  }
}
