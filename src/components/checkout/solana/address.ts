/** Whether the text is an address on Solana, or a beginning too long for the name in an e-mail address. */
export const isSolanaAddressBegun = (text: string): boolean => /^\w{20}/.test(text)

/** The form of an address on Solana. */
export const solanaAddress = {
  example: '7xKX…gAsU',
  isValid: (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text),
}
