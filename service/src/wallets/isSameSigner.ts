/**
 * Normalizes a signer locator as wallets store it: an address in lower case, and that of a keypair without
 * its prefix.
 */
const normalize = (locator: string): string => {
  const bare = locator.replace(/^evm-keypair:(?=0x)/i, '')
  return /^(evm-kassa-custodial:)?0x/i.test(bare) ? bare.toLowerCase() : bare
}

/**
 * Whether two locators name one signer. The prefix of a keypair is optional, and the case of an address is
 * free.
 */
export const isSameSigner = (one: string, other: string): boolean => normalize(one) === normalize(other)
