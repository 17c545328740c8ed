import ipaddr from 'ipaddr.js'

/** In a public range, and yet Azure's own service to the machine that asks. */
const hostService = '168.63.129.16'

/** Whether an IP address is a host's on the public internet: nothing private, local, reserved or translated. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === hostService) return false
  // All that is given out stands in 2000::/3; outside it some old forms carry an IPv4 address inside.
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
}
