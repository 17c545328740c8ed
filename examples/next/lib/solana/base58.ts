const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Encodes bytes in base58, in which Solana writes addresses and signatures. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${alphabet[Number(value % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte > 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

const countBytes = (text: string): number => {
  let value = 0n
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character))
  const digits = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return digits + (/^1*/.exec(text)?.[0].length ?? 0)
}

/** Whether a text is an address on Solana: 32 bytes in base58. */
export const isSolanaAddress = (text: string): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && countBytes(text) === 32
