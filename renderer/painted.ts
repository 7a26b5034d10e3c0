/** How long a page waits that may be in a window that nobody sees: milliseconds. */
const PATIENCE = 500

/** Resolves when the page has been painted (Paint Timing), or isn't for so long that it may never be. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver(() => end())
    const end = () => {
      observer.disconnect()
      resolve()
    }
    observer.observe({ type: 'paint', buffered: true })
    setTimeout(end, PATIENCE)
  })
}
