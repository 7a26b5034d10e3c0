/** Arguments as they stand in a line of a Windows batch file, and as a program should get them. */
export const ARGUMENTS: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['--min-validity 60', ['--min-validity', '60']],
  ['"my job.py" --rows=5', ['my job.py', '--rows=5']],
  ['"a & b" "c | d" "e > f" "(g)"', ['a & b', 'c | d', 'e > f', '(g)']],
  ['--url:https://data.example.com/?a=1 "50^"', ['--url:https://data.example.com/?a=1', '50^']],
  ['"" "ends with \\\\" "say \\"hi\\""', ['', 'ends with \\', 'say "hi"']],
  ['C:\\data\\*.csv name:value!', ['C:\\data\\*.csv', 'name:value!']],
  // In a batch file, two percent signs mean one. Every Windows has the variable OS.
  ['100%% "%%OS%%" %%OS%% "50%% of %%"', ['100%', '%OS%', '%OS%', '50% of %']],
]
