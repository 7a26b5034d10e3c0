/** English word lists are imported one by one, because all together are four times as large as those needed. */
declare module '@zxcvbn-ts/language-en/dist/wordSequences.json.mjs' {
  const sequences: Record<string, string[]>
  export default sequences
}
declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  const words: string[]
  export default words
}
