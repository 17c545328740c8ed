/** Bytes of a content, by the first and the last of them, counted from 0. */
export type ContentRange = { start: number; end: number }

/** Bytes kept under their IPFS content identifier, so that a URI names exactly one content for ever. */
export type Storage = {
  /**
   * Keeps the bytes and returns their CID (version 1, base32). Idempotent.
   *
   * @param contentType - What they are said to be; believed where the bytes do not tell and it does no harm.
   */
  put(bytes: Uint8Array, contentType: string): Promise<string>
  /** What a content is and how long, without reading it. @units bytes */
  describe(cid: string): Promise<{ contentType: string; size: number } | undefined>
  /** A content, or a part of it. */
  get(cid: string, range?: ContentRange): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
}
