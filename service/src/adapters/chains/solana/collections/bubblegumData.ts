import {
  type Address,
  addDecoderSizePrefix,
  addEncoderSizePrefix,
  fixDecoderSize,
  getAddressDecoder,
  getAddressEncoder,
  getArrayEncoder,
  getBase58Encoder,
  getBooleanEncoder,
  getBytesDecoder,
  getBytesEncoder,
  getConstantDecoder,
  getOptionEncoder,
  getStructDecoder,
  getStructEncoder,
  getU8Encoder,
  getU16Encoder,
  getU32Decoder,
  getU32Encoder,
  getU64Decoder,
  getUtf8Encoder,
  type ReadonlyUint8Array,
} from '@solana/kit'
import type { OnChainMetadata } from './mintInstructions.js'

const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder())
const none = getOptionEncoder(getU8Encoder())

const createTreeData = getStructEncoder([
  ['discriminator', getBytesEncoder()],
  ['maxDepth', getU32Encoder()],
  ['maxBufferSize', getU32Encoder()],
  ['isPublic', getOptionEncoder(getBooleanEncoder())],
])
const creator = getStructEncoder([
  ['address', getAddressEncoder()],
  ['isVerified', getBooleanEncoder()],
  ['share', getU8Encoder()],
])
const mintData = getStructEncoder([
  ['discriminator', getBytesEncoder()],
  ['name', text],
  ['symbol', text],
  ['uri', text],
  ['sellerFeeBasisPoints', getU16Encoder()],
  ['isSoldBefore', getBooleanEncoder()],
  ['isMutable', getBooleanEncoder()],
  ['editionNonce', none],
  ['tokenStandard', getOptionEncoder(getU8Encoder())],
  ['collection', none],
  ['uses', none],
  ['tokenProgramVersion', getU8Encoder()],
  ['creators', getArrayEncoder(creator)],
])
const discriminators = {
  createTree: Uint8Array.of(165, 83, 136, 142, 89, 202, 47, 220),
  mint: Uint8Array.of(145, 98, 192, 118, 184, 147, 118, 104),
}
/** Non-fungible, of the classic token program if it is ever decompressed. */
const [tokenStandard, tokenProgramVersion] = [0, 0]

/** What the programs log of a new leaf: application data, version 1, with an event, a leaf, of version 1 each. */
const leafEvent = getStructDecoder([
  ['kind', getConstantDecoder(Uint8Array.of(1, 0))],
  ['event', addDecoderSizePrefix(getBytesDecoder(), getU32Decoder())],
])
const leaf = getStructDecoder([
  ['kind', getConstantDecoder(Uint8Array.of(1, 0, 0))],
  ['id', getAddressDecoder()],
  ['owner', getAddressDecoder()],
  ['delegate', getAddressDecoder()],
  ['nonce', getU64Decoder()],
  ['hashes', fixDecoderSize(getBytesDecoder(), 96)],
])

/** The size of a tree: 2 to the power of its depth tokens fit, and so many may be added at once. */
export type TreeSize = { maxDepth: number; maxBufferSize: number }

/** Encodes the instruction that makes an account a tree. */
export const encodeCreateTree = (size: TreeSize): ReadonlyUint8Array =>
  createTreeData.encode({ discriminator: discriminators.createTree, ...size, isPublic: false })

/** Encodes the instruction that adds a token to a tree. */
export const encodeMint = (operator: Address, metadata: OnChainMetadata): ReadonlyUint8Array =>
  mintData.encode({
    discriminator: discriminators.mint,
    ...metadata,
    sellerFeeBasisPoints: 0,
    isSoldBefore: false,
    isMutable: true,
    editionNonce: null,
    tokenStandard,
    // Collections of Bubblegum are of another program than those of the service.
    collection: null,
    uses: null,
    tokenProgramVersion,
    creators: [{ address: operator, isVerified: true, share: 100 }],
  })

/** Decodes the leaf of a log, or returns `undefined` for another log. */
export const readLeaf = (data: string) => {
  try {
    return leaf.decode(leafEvent.decode(getBase58Encoder().encode(data)).event)
  } catch {
    return undefined
  }
}
