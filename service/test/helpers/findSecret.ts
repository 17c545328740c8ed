/**
 * Returns the part of a base64 text that the bytes have at any offset, without the characters that depend on
 * their neighbours.
 */
const base64Cores = (bytes: Buffer): string[] =>
  [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset && 2 + (offset - 1), -2)
  })

/** Returns bytes in every form in which they may have been stored. */
const formsOf = (secret: Uint8Array): Buffer[] => {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const base64 = base64Cores(bytes)
  const texts = [
    ...[hex, hex.toUpperCase(), bytes.join(','), bytes.join(', '), BigInt(`0x${hex}`).toString()],
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ]
  return [bytes, ...texts.map((text) => Buffer.from(text))]
}

/**
 * Whether a dump contains a secret in any form: raw, hex, base64, a list of numbers, text, or text of those.
 */
export const hasSecret = (dump: Buffer, secret: Uint8Array): boolean => {
  const forms = formsOf(secret)
  // A column of bytes is dumped as hex, whatever its content.
  const twice = forms.flatMap((form) => [form, Buffer.from(form.toString('hex'))])
  return twice.some((form) => dump.includes(form))
}
