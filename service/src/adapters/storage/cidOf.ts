import { createHash } from 'node:crypto'
import { importBytes } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import { CID } from 'multiformats/cid'
import { code as rawCode } from 'multiformats/codecs/raw'
import { create as createDigest } from 'multiformats/hashes/digest'

/** @units bytes */
const blockSize = 262_144
/** SHA-256 in the table of multihashes. */
const sha256 = 0x12

// These are the defaults. They are written out because every stored identifier depends on them.
const shape = {
  cidVersion: 1,
  rawLeaves: true,
  chunker: fixedSize({ chunkSize: blockSize }),
  layout: balanced({ maxChildrenPerNode: 174 }),
} as const

/** The blocks serve only to compute hashes. The bytes are stored elsewhere, in one piece. */
const nowhere = { put: (cid: CID) => cid }

/** Returns the identifier of a file that is one block: the hash of its bytes. */
const cidOfBlock = (bytes: Uint8Array): CID =>
  CID.createV1(rawCode, createDigest(sha256, createHash('sha256').update(bytes).digest()))

/** Returns the identifier that `ipfs add --cid-version=1` gives these bytes on any node: version 1, base32. */
export const cidOf = async (bytes: Uint8Array): Promise<string> => {
  const cid = bytes.length <= blockSize ? cidOfBlock(bytes) : (await importBytes(bytes, nowhere, shape)).cid
  return cid.toString()
}
