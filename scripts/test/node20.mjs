// @ts-nocheck: TypeScript doesn't declare these functions, which Vitest 5 needs for reports, and Node 20 lacks.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
Object.groupBy ??= (items, keyOf) => Object.assign(Object.create(null), Object.fromEntries(Map.groupBy(items, keyOf)))
Promise.withResolvers ??= () => {
  const resolvers = {}
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }))
  return resolvers
}
