/** Whether two locators name one signer: an address does in any case of its letters. */
export const isSameSigner = (one: string, other: string): boolean =>
  one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase())
