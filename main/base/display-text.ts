/** How many characters of an external text are read at most. Shown texts are much shorter. */
export const LONGEST_READ = 4_096

const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu

export const cleanText = (text: string): string =>
  text
    // SECURITY: bidi overrides, invisible and control characters can disguise a text.
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Z}\u2800]/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/ +/g, ' ')
    .trim()
    // SECURITY: stacked combining marks can cover the text around them.
    .replace(/^\p{M}+/u, '')
    .replace(STACKED_MARKS, '$1')

export function shorten(text: string, longest: number): string {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

/** External text for display: one short line of visible characters. Not for texts that are compared. */
export const displayText = (text: string, longest: number): string =>
  // SECURITY: limit the length before any pattern runs.
  shorten(cleanText(text.slice(0, LONGEST_READ)), longest)

const LONGEST_NAME = 100

/** A user's name in the tray, the window and notifications. */
export const displayName = (name: string): string => displayText(name, LONGEST_NAME)

/**
 * A message for standard output or error, which may quote an argument, a variable or a setting. SECURITY: control
 * characters are replaced, because a terminal would obey them. So are bidirectional controls, which reorder the text
 * around them.
 */
export const forTerminal = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?')
