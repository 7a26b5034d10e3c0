/** The start of root's command with mounts of its own (unshare(1)), made by `commands`, without single quotes. */
export function withOwnMounts(commands: readonly string[]): string {
  const all = [
    // Keeps the mounts private to the command. In a chroot whose / isn't a mount point, `unshare --propagation private`
    // fails, so nsenter runs mount(8) at the root of the namespace.
    'nsenter --mount=/proc/self/ns/mnt mount --make-rprivate /',
    ...commands,
    'exec "$@"',
  ]
  return `unshare --mount --propagation unchanged -- sh -c '${all.join(' && ')}' sh `
}
