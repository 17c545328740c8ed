import { importBytes } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'

// These are the defaults. They are written out because every stored identifier depends on them.
const shape = {
  cidVersion: 1,
  rawLeaves: true,
  chunker: fixedSize({ chunkSize: 262_144 }),
  layout: balanced({ maxChildrenPerNode: 174 }),
} as const

/** The blocks serve only to compute hashes. The bytes are stored elsewhere, in one piece. */
const nowhere = { put: (cid: CID) => cid }

/** Returns the identifier that `ipfs add --cid-version=1` gives these bytes on any node: version 1, base32. */
export const cidOf = async (bytes: Uint8Array): Promise<string> =>
  (await importBytes(bytes, nowhere, shape)).cid.toString()
