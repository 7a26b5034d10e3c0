// @ts-nocheck: the compiler's library doesn't have these functions. Vitest 5 calls them when a test fails. Node 20
// lacks them, so the failure would not be reported.
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
