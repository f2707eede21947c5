/** Seconds of CPU that this process has spent: others that keep the machine busy do not count. */
export function coreSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
