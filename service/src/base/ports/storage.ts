/** A range of a file's bytes: the first and the last of them, counted from 0. */
export type ContentRange = { start: number; end: number }

/** Storage of files under their IPFS content identifiers, so that a URI always names the same bytes. */
export type Storage = {
  /**
   * Stores the bytes and returns their CID (version 1, base32). Idempotent.
   *
   * @param contentType - The type that the caller gives. It counts if the bytes do not show theirs and it is harmless.
   */
  put(bytes: Uint8Array, contentType: string): Promise<string>
  /** Returns the type and the length of a file without reading it. @units bytes */
  describe(cid: string): Promise<{ contentType: string; size: number } | undefined>
  /** A file, or a part of it. */
  get(cid: string, range?: ContentRange): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
}
