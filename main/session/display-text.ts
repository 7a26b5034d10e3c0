/** Longer than anything that is shown. The rest isn't read. */
export const LONGEST_READ = 4_096

/** A base character with more marks than that stacks them over the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu

/** A text from outside as one line of visible characters. */
export const cleanText = (text: string): string =>
  text
    // SECURITY: bidi overrides, invisible and control characters make a text read as what it is not.
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s\p{Z}\u2800]/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/ +/g, ' ')
    .trim()
    // SECURITY: nor can stacked marks cover the text around it.
    .replace(/^\p{M}+/u, '')
    .replace(STACKED_MARKS, '$1')

/** At most this many characters, ending in an ellipsis if some were cut. */
export function shorten(text: string, longest: number): string {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

/**
 * A text of the service, the provider or a tool as it is shown: one line of at most so many characters, without what
 * can't be seen, and with few marks on each character. For display only: identities are compared as they came.
 */
export const displayText = (text: string, longest: number): string =>
  // SECURITY: bounded before any pattern sees it.
  shorten(cleanText(text.slice(0, LONGEST_READ)), longest)

/** The longest name of a user that is shown, in characters. */
const LONGEST_NAME = 100

/** A user's name as the tray, the window and notifications show it. */
export const displayName = (name: string): string => displayText(name, LONGEST_NAME)
