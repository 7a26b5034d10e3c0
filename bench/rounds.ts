/**
 * Measures each program once a round. Every second round runs in reverse order, so that no program always comes first.
 * The first round is a warm-up and doesn't count.
 */
export async function interleave<Sides extends Readonly<Record<string, () => Promise<unknown>>>>(
  rounds: number,
  sides: Sides,
): Promise<{ readonly [Side in keyof Sides]: readonly Awaited<ReturnType<Sides[Side]>>[] }> {
  const names = Object.keys(sides) as (keyof Sides)[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as unknown[]])) as Record<keyof Sides, unknown[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]?.()
      if (round > 0) taken[name].push(value)
    }
  }
  return taken as { readonly [Side in keyof Sides]: readonly Awaited<ReturnType<Sides[Side]>>[] }
}
