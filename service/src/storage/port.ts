/** Bytes kept under their IPFS content identifier, so that a URI names exactly one content for ever. */
export type Storage = {
  /** Keeps the bytes and returns their CID (version 1, base32). Idempotent. */
  put(bytes: Uint8Array, contentType: string): Promise<string>
  get(cid: string): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
}
