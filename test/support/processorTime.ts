/** Milliseconds that the processor worked for it, which other programs on the machine do not change. */
export const processorTime = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  return process.cpuUsage(start).user / 1000
}
