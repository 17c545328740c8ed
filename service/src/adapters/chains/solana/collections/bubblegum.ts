import {
  AccountRole,
  type Address,
  fetchEncodedAccount,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'
import { getCreateAccountWithSeedInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { deriveTree } from '../connection/derivedAddresses.js'
import type { SolanaPrograms } from '../solanaChainOptions.js'
import { encodeCreateTree, encodeMint, readLeaf, type TreeSize } from './bubblegumData.js'
import type { Compression } from './compression.js'

/** The accounts of an instruction whose signer is the operator. */
type Accounts = NonNullable<Instruction['accounts']>

/** The sizes that trees can have, smallest first. @units `maxDepth` in levels, so that 2 to its power tokens fit */
const treeSizes = [
  { maxDepth: 14, maxBufferSize: 64 },
  { maxDepth: 20, maxBufferSize: 64 },
] as const

const chooseSize = (supplyLimit: bigint): TreeSize => {
  const [small, large] = treeSizes
  return supplyLimit > 0n && supplyLimit <= 2n ** BigInt(small.maxDepth) ? small : large
}

/** Returns the size of a tree's account: its header, its counters, and its last changes. @units bytes */
const sizeOf = ({ maxDepth, maxBufferSize }: TreeSize): number =>
  56 + 24 + (maxBufferSize + 1) * (40 + 32 * maxDepth)

const readonly = (address: Address) => ({ address, role: AccountRole.READONLY })
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE })

const signedBy = (
  signer: KeyPairSigner,
  role: AccountRole.READONLY_SIGNER | AccountRole.WRITABLE_SIGNER,
) => ({
  address: signer.address,
  role,
  signer,
})

const configOf = async (programAddress: Address, tree: Address): Promise<Address> => {
  const [address] = await getProgramDerivedAddress({
    programAddress,
    seeds: [getAddressEncoder().encode(tree)],
  })
  return address
}

const assetOf = async (programAddress: Address, tree: Address, nonce: bigint): Promise<Address> => {
  const seeds = ['asset', getAddressEncoder().encode(tree), getU64Encoder().encode(nonce)]
  const [address] = await getProgramDerivedAddress({ programAddress, seeds })
  return address
}

const readAsset = async (
  rpc: Rpc<SolanaRpcApi>,
  { bubblegum, noop }: SolanaPrograms,
  { txId, tree }: { txId: string; tree: Address },
): Promise<Address | undefined> => {
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
    if (added && added.id === (await assetOf(bubblegum, tree, added.nonce))) return added.id
  }
  throw new Error(`the transaction ${txId} has added no token to the tree ${tree}`)
}

/**
 * Creates the compression of Bubblegum, version 1, of the programs that the operator names.
 *
 * No cluster of this repository has these programs: the tests decode the instructions and read a recorded form of
 * their log. They have never run against the programs.
 */
export const createBubblegum = (addresses: SolanaPrograms): Compression => {
  const { bubblegum, compression, noop } = addresses
  const programs = [readonly(noop), readonly(compression), readonly(SYSTEM_PROGRAM_ADDRESS)]

  return {
    treeOf: (operator, collection) => deriveTree(operator, collection, compression).address,
    hasTree: async (rpc, tree) =>
      (await fetchEncodedAccount(rpc, await configOf(bubblegum, tree), { commitment: 'confirmed' })).exists,
    createTree: async ({ operator, rentFor }, collection, supplyLimit) => {
      const { address: tree, seed, programAddress } = deriveTree(operator.address, collection, compression)
      const size = chooseSize(supplyLimit)
      const space = sizeOf(size)
      const accounts: Accounts = [
        writable(await configOf(bubblegum, tree)),
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
          data: encodeCreateTree(size),
        },
      ]
    },
    mint: async (operator, { tree, recipient, metadata }) => {
      const accounts: Accounts = [
        writable(await configOf(bubblegum, tree)),
        // The recipient is the delegate too.
        readonly(recipient),
        readonly(recipient),
        writable(tree),
        signedBy(operator, AccountRole.READONLY_SIGNER),
        signedBy(operator, AccountRole.READONLY_SIGNER),
        ...programs,
      ]
      return { programAddress: bubblegum, accounts, data: encodeMint(operator.address, metadata) }
    },
    readAsset: (rpc, txId, tree) => readAsset(rpc, addresses, { txId, tree }),
  }
}
