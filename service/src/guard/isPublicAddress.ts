import ipaddr from 'ipaddr.js'

/** In a public range, but Azure's internal service for the requesting machine. */
const hostService = '168.63.129.16'

/**
 * Whether an IP address belongs to a host on the public internet. Private, local, reserved and translated
 * addresses do not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === hostService) return false
  // All assigned addresses are in 2000::/3. Some old forms outside it contain an IPv4 address.
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
}
