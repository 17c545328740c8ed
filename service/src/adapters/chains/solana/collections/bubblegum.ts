import {
  AccountRole,
  type Address,
  addDecoderSizePrefix,
  addEncoderSizePrefix,
  fetchEncodedAccount,
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
  getProgramDerivedAddress,
  getStructDecoder,
  getStructEncoder,
  getU8Encoder,
  getU16Encoder,
  getU32Decoder,
  getU32Encoder,
  getU64Decoder,
  getU64Encoder,
  getUtf8Encoder,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit'
import { getCreateAccountWithSeedInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { deriveTree } from '../connection/derivedAddresses.js'
import type { SolanaPrograms } from '../solanaChainOptions.js'
import type { Compression } from './compression.js'

/** The accounts of an instruction whose signer is the operator. */
type Accounts = NonNullable<Instruction['accounts']>

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

/** The sizes that trees can have, smallest first. @units `maxDepth` in levels, so that 2 to its power tokens fit */
const treeSizes = [
  { maxDepth: 14, maxBufferSize: 64 },
  { maxDepth: 20, maxBufferSize: 64 },
] as const

const chooseSize = (supplyLimit: bigint): (typeof treeSizes)[number] => {
  const [small, large] = treeSizes
  return supplyLimit > 0n && supplyLimit <= 2n ** BigInt(small.maxDepth) ? small : large
}

/** Returns the size of a tree's account: its header, its counters, and its last changes. @units bytes */
const sizeOf = ({ maxDepth, maxBufferSize }: (typeof treeSizes)[number]): number =>
  56 + 24 + (maxBufferSize + 1) * (40 + 32 * maxDepth)

const readonly = (address: Address) => ({ address, role: AccountRole.READONLY })
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE })

/** Decodes the leaf of a log, or returns `undefined` for another log. */
const readLeaf = (data: string) => {
  try {
    return leaf.decode(leafEvent.decode(getBase58Encoder().encode(data)).event)
  } catch {
    return undefined
  }
}

/**
 * Creates the compression of Bubblegum, version 1, of the programs that the operator names.
 *
 * No cluster of this repository has these programs: the tests decode the instructions and read a recorded form of
 * their log. They have never run against the programs.
 */
export const createBubblegum = ({ bubblegum, compression, noop }: SolanaPrograms): Compression => {
  const configOf = async (tree: Address): Promise<Address> =>
    (
      await getProgramDerivedAddress({ programAddress: bubblegum, seeds: [getAddressEncoder().encode(tree)] })
    )[0]
  const assetOf = async (tree: Address, nonce: bigint): Promise<Address> => {
    const seeds = ['asset', getAddressEncoder().encode(tree), getU64Encoder().encode(nonce)]
    return (await getProgramDerivedAddress({ programAddress: bubblegum, seeds }))[0]
  }
  const signedBy = (
    signer: KeyPairSigner,
    role: AccountRole.READONLY_SIGNER | AccountRole.WRITABLE_SIGNER,
  ) => ({
    address: signer.address,
    role,
    signer,
  })
  const programs = [readonly(noop), readonly(compression), readonly(SYSTEM_PROGRAM_ADDRESS)]

  return {
    treeOf: (operator, collection) => deriveTree(operator, collection, compression).address,
    hasTree: async (rpc, tree) =>
      (await fetchEncodedAccount(rpc, await configOf(tree), { commitment: 'confirmed' })).exists,
    createTree: async ({ operator, rentFor }, collection, supplyLimit) => {
      const { address: tree, seed, programAddress } = deriveTree(operator.address, collection, compression)
      const size = chooseSize(supplyLimit)
      const space = sizeOf(size)
      const accounts: Accounts = [
        writable(await configOf(tree)),
        writable(tree),
        signedBy(operator, AccountRole.WRITABLE_SIGNER),
        signedBy(operator, AccountRole.READONLY_SIGNER),
        ...programs,
      ]
      return [
        getCreateAccountWithSeedInstruction({
          payer: operator,
          newAccount: tree,
          baseAccount: operator,
          base: operator.address,
          seed,
          amount: await rentFor(space),
          space,
          programAddress,
        }),
        {
          programAddress: bubblegum,
          accounts,
          data: createTreeData.encode({ discriminator: discriminators.createTree, ...size, isPublic: false }),
        },
      ]
    },
    mint: async (operator, { tree, recipient, metadata }) => {
      const accounts: Accounts = [
        writable(await configOf(tree)),
        // The recipient is the delegate too.
        readonly(recipient),
        readonly(recipient),
        writable(tree),
        signedBy(operator, AccountRole.READONLY_SIGNER),
        signedBy(operator, AccountRole.READONLY_SIGNER),
        ...programs,
      ]
      const data = mintData.encode({
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
        creators: [{ address: operator.address, isVerified: true, share: 100 }],
      })
      return { programAddress: bubblegum, accounts, data }
    },
    readAsset: async (rpc, txId, tree) => {
      const found = await rpc
        .getTransaction(txId as Signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: 0,
        })
        .send()
      if (!found) return undefined
      const { accountKeys } = found.transaction.message
      const logged = (found.meta?.innerInstructions ?? []).flatMap(({ instructions }) => instructions)
      for (const { programIdIndex, data } of logged) {
        const added = accountKeys[programIdIndex] === noop ? readLeaf(data) : undefined
        // Other programs may log the same form.
        if (added && added.id === (await assetOf(tree, added.nonce))) return added.id
      }
      throw new Error(`the transaction ${txId} has added no token to the tree ${tree}`)
    },
  }
}
