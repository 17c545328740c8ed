/** Whether a host name of a URL leads to this machine. */
export const isLoopback = (hostname: string): boolean => /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)
