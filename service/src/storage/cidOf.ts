import { importBytes } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'

// Written out although they are the defaults: on these three every identifier that was ever given out depends.
const shape = {
  cidVersion: 1,
  rawLeaves: true,
  chunker: fixedSize({ chunkSize: 262_144 }),
  layout: balanced({ maxChildrenPerNode: 174 }),
} as const

/** The blocks are made for their hashes only; the bytes are kept elsewhere, in one piece. */
const nowhere = { put: (cid: CID) => cid }

/** The identifier that `ipfs add --cid-version=1` gives these bytes on any node: version 1, base32. */
export const cidOf = async (bytes: Uint8Array): Promise<string> =>
  (await importBytes(bytes, nowhere, shape)).cid.toString()
