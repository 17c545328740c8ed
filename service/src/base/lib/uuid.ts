/** Whether a text is a UUID, so that the database accepts it in a query. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/** Formats 16 bytes as a UUID of version 4. Six of the bits are replaced by the version. */
export const formatUuid = (sixteenBytes: Uint8Array): string => {
  const bytes = Uint8Array.from(sixteenBytes)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Creates a random UUID (version 4). */
export const createUuid = (randomBytes: (length: number) => Uint8Array): string => formatUuid(randomBytes(16))
