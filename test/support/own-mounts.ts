/**
 * The beginning of a shell command that runs the rest of the command with mounts of its own. Root only (unshare(1)).
 * @param commands mount the files; they must not contain single quotes
 */
export function withOwnMounts(commands: readonly string[]): string {
  const all = [
    // Keeps the mounts out of other namespaces. `unshare --propagation private` fails in a chroot whose / is not a
    // mount point, so nsenter runs mount(8) at the root of the namespace.
    'nsenter --mount=/proc/self/ns/mnt mount --make-rprivate /',
    ...commands,
    'exec "$@"',
  ]
  return `unshare --mount --propagation unchanged -- sh -c '${all.join(' && ')}' sh `
}
