// @ts-nocheck: TypeScript's library doesn't declare these functions. Vitest 5 calls them when a test fails. Node 20
// doesn't have them, so without this file Vitest could not report the failure.
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
