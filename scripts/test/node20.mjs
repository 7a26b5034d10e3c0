// @ts-nocheck: the compiler's library is older than what this is in for.
// Vitest 5 calls these functions when a test fails. Node 20 lacks them, and then the failure is not reported.
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
