/**
 * Measures each of the compared programs once per round. Every second round runs in reverse order, so that no program
 * always comes first. The first round is a warm-up and does not count.
 */
export async function interleave<Side extends string, T>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<T>>>,
): Promise<Readonly<Record<Side, readonly T[]>>> {
  const names = Object.keys(sides) as Side[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Side, T[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]()
      if (round > 0) taken[name].push(value)
    }
  }
  return taken
}
