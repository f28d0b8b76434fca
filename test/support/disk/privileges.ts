/** Root may do everything, so a child that is to be refused gives its privileges up first. */
export const dropPrivileges = (): void => {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
