/** The word lists are imported one by one: all of them together are three times larger than the guidance needs. */
declare module '@zxcvbn-ts/language-en/dist/wordSequences.json.mjs' {
  const sequences: Record<string, string[]>
  export default sequences
}
declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  const words: string[]
  export default words
}
