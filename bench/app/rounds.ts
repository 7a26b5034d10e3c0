/** Ours and the floor, side by side. */

export interface Figure {
  readonly name: string
  readonly unit: 'ms' | 'MB' | ''
  /** What it may be, as a multiple of the floor's. */
  readonly most: number
  /** Reached also where ours can't be told from the floor's own noise. */
  readonly isNoise?: true
  /** An entry a round. */
  readonly ours: readonly number[]
  readonly floor: readonly number[]
}

export interface Sides<T> {
  readonly ours: () => Promise<T>
  readonly floor: () => Promise<T>
}

/** Measures both once a round, to and fro, so that neither always comes second. The first round is to get warm. */
export async function alternate<T>(
  rounds: number,
  sides: Sides<T>,
): Promise<{ readonly ours: readonly T[]; readonly floor: readonly T[] }> {
  const taken: { readonly ours: T[]; readonly floor: T[] } = { ours: [], floor: [] }
  for (let round = 0; round <= rounds; round++) {
    const order = ['ours', 'floor'] as const
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const value = await sides[side]()
      if (round > 0) taken[side].push(value)
    }
  }
  return taken
}
