/** The part of a text in base64 that bytes have wherever in it they begin: what their neighbours change is left out. */
const base64Cores = (bytes: Buffer): string[] =>
  [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset && 2 + (offset - 1), -2)
  })

/** Bytes in every form in which somebody may have written them down. */
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

/** Whether a secret is in a dump, in whatever form: as it is, hex, base64, a list of numbers; a text, or text of those. */
export const hasSecret = (dump: Buffer, secret: Uint8Array): boolean => {
  const forms = formsOf(secret)
  // A column of bytes is dumped as hex, whatever is in it.
  const twice = forms.flatMap((form) => [form, Buffer.from(form.toString('hex'))])
  return twice.some((form) => dump.includes(form))
}
