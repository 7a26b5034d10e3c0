/** A date and time in the desktop's zone, in ASCII so that any terminal can show it: `Fri 27 Nov, 18:00`. */
export const dateOf = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
