import { type Address, type Instruction, type KeyPairSigner, none, some } from '@solana/kit'
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  type ExtensionArgs,
  extension,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeGroupMemberPointerInstruction,
  getInitializeGroupPointerInstruction,
  getInitializeMetadataPointerInstruction,
  getInitializeMint2Instruction,
  getInitializeNonTransferableMintInstruction,
  getInitializeTokenGroupInstruction,
  getInitializeTokenGroupMemberInstruction,
  getInitializeTokenMetadataInstruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getUpdateTokenGroupMaxSizeInstruction,
  getUpdateTokenMetadataFieldInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
  type TokenMetadataFieldArgs,
  tokenMetadataField,
} from '@solana-program/token-2022'
import type { Derived } from '../connection/derivedAddresses.js'

/** What a mint says of itself, on chain. */
export type OnChainMetadata = { name: string; symbol: string; uri: string }

/** What the instructions of collections and tokens need. */
export type MintParts = {
  operator: KeyPairSigner
  /** Returns the lamports that an account of a size must hold. */
  rentFor(size: number): Promise<bigint>
}

/** The most tokens that a group can have. */
const noLimit = 2n ** 64n - 1n

const maxSizeOf = (supplyLimit: bigint): bigint => (supplyLimit === 0n ? noLimit : supplyLimit)

/** The field that holds the number of the last change, so that an older one is never written after it. */
export const revisionField = 'revision'

const metadataOf = (mint: Address, operator: Address, metadata: OnChainMetadata): ExtensionArgs =>
  extension('TokenMetadata', {
    ...metadata,
    updateAuthority: some(operator),
    mint,
    additionalMetadata: new Map<string, string>(),
  })

/**
 * Creates a mint with its metadata. Before its extensions have their contents, the account has only the size of
 * what a mint fixes when it is initialized, and the rent of all of it.
 */
const createMint = async (
  { operator, rentFor }: MintParts,
  { address: newAccount, seed, programAddress }: Derived,
  { fixed, contents }: { fixed: ExtensionArgs[]; contents: ExtensionArgs[] },
): Promise<Instruction> =>
  getCreateAccountWithSeedInstruction({
    payer: operator,
    newAccount,
    baseAccount: operator,
    base: operator.address,
    seed,
    amount: await rentFor(getMintSize([...fixed, ...contents])),
    space: getMintSize(fixed),
    programAddress,
  })

const giveUpMinting = (operator: KeyPairSigner, mint: Address): Instruction =>
  getSetAuthorityInstruction({
    owned: mint,
    owner: operator,
    authorityType: AuthorityType.MintTokens,
    newAuthority: none(),
  })

/**
 * Creates the instructions that create a collection: a mint without tokens, which is the group of the
 * collection's tokens.
 */
export const createGroupInstructions = async (
  parts: MintParts,
  collection: Derived,
  { metadata, supplyLimit }: { metadata: OnChainMetadata; supplyLimit: bigint },
): Promise<Instruction[]> => {
  const { operator } = parts
  const mint = collection.address
  const authority = some(operator.address)
  const maxSize = maxSizeOf(supplyLimit)
  const fixed = [
    extension('GroupPointer', { authority, groupAddress: some(mint) }),
    extension('MetadataPointer', { authority, metadataAddress: some(mint) }),
  ]
  const group = extension('TokenGroup', { updateAuthority: authority, mint, size: 0n, maxSize })
  const contents = [metadataOf(mint, operator.address, metadata), group]
  return [
    await createMint(parts, collection, { fixed, contents }),
    getInitializeGroupPointerInstruction({ mint, authority: operator.address, groupAddress: mint }),
    getInitializeMetadataPointerInstruction({ mint, authority: operator.address, metadataAddress: mint }),
    getInitializeMint2Instruction({ mint, decimals: 0, mintAuthority: operator.address }),
    getInitializeTokenMetadataInstruction({
      metadata: mint,
      mint,
      updateAuthority: operator.address,
      mintAuthority: operator,
      ...metadata,
    }),
    getInitializeTokenGroupInstruction({
      group: mint,
      mint,
      mintAuthority: operator,
      updateAuthority: operator.address,
      maxSize,
    }),
    giveUpMinting(operator, mint),
  ]
}

/** A new token: its collection, its mint, and whether its owner can give it away. */
type Member = { collection: Address; token: Derived; isTransferable: boolean }

/** Creates the instructions that create a token's mint as a member of its collection, without copies. */
export const createMemberInstructions = async (
  parts: MintParts,
  { collection, token, isTransferable }: Member,
  metadata: OnChainMetadata,
): Promise<Instruction[]> => {
  const { operator } = parts
  const mint = token.address
  const authority = some(operator.address)
  const fixed = [
    extension('MetadataPointer', { authority, metadataAddress: some(mint) }),
    extension('GroupMemberPointer', { authority, memberAddress: some(mint) }),
    ...(isTransferable ? [] : [extension('NonTransferable', {})]),
  ]
  const member = extension('TokenGroupMember', { mint, group: collection, memberNumber: 0n })
  const contents = [metadataOf(mint, operator.address, metadata), member]
  return [
    await createMint(parts, token, { fixed, contents }),
    getInitializeMetadataPointerInstruction({ mint, authority: operator.address, metadataAddress: mint }),
    getInitializeGroupMemberPointerInstruction({ mint, authority: operator.address, memberAddress: mint }),
    ...(isTransferable ? [] : [getInitializeNonTransferableMintInstruction({ mint })]),
    getInitializeMint2Instruction({ mint, decimals: 0, mintAuthority: operator.address }),
    getInitializeTokenMetadataInstruction({
      metadata: mint,
      mint,
      updateAuthority: operator.address,
      mintAuthority: operator,
      ...metadata,
    }),
    getInitializeTokenGroupMemberInstruction({
      member: mint,
      memberMint: mint,
      memberMintAuthority: operator,
      group: collection,
      groupUpdateAuthority: operator,
    }),
  ]
}

/**
 * Creates the instructions that mint copies of a token to their recipient, whose token account is created if it
 * is missing. After the last copy, nobody can mint more.
 */
export const createCopyInstructions = async (
  { operator }: MintParts,
  mint: Address,
  { recipient, copies, isLast }: { recipient: Address; copies: bigint; isLast: boolean },
): Promise<Instruction[]> => {
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS
  const [token] = await findAssociatedTokenPda({ owner: recipient, mint, tokenProgram })
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: operator,
      ata: token,
      owner: recipient,
      mint,
      tokenProgram,
    }),
    getMintToInstruction({ mint, token, mintAuthority: operator, amount: copies }),
    ...(isLast ? [giveUpMinting(operator, mint)] : []),
  ]
}

/** The most that the field of the revision adds to a mint: its name, 20 digits, and two lengths. @units bytes */
const revisionSize = revisionField.length + 20 + 8

const lengthOf = ({ name, symbol, uri }: OnChainMetadata): number =>
  Buffer.byteLength(name) + Buffer.byteLength(symbol) + Buffer.byteLength(uri)

/** A mint as it is on chain. @units `size` in bytes */
export type KnownMint = { metadata: OnChainMetadata; revision: bigint; size: number; lamports: bigint }

/** Creates the instructions that replace what a mint says of itself, with the number of the change. */
export const createUpdateInstructions = async (
  { operator, rentFor }: MintParts,
  mint: Address,
  { known, metadata, revision }: { known: KnownMint; metadata: OnChainMetadata; revision: bigint },
): Promise<Instruction[]> => {
  const growth = Math.max(0, lengthOf(metadata) - lengthOf(known.metadata))
  const amount = (await rentFor(known.size + growth + revisionSize)) - known.lamports
  const update = (field: TokenMetadataFieldArgs, value: string): Instruction =>
    getUpdateTokenMetadataFieldInstruction({ metadata: mint, updateAuthority: operator, field, value })
  const isChanged = (field: keyof OnChainMetadata): boolean => metadata[field] !== known.metadata[field]
  return [
    ...(amount > 0n ? [getTransferSolInstruction({ source: operator, destination: mint, amount })] : []),
    ...(isChanged('name') ? [update(tokenMetadataField('Name'), metadata.name)] : []),
    ...(isChanged('symbol') ? [update(tokenMetadataField('Symbol'), metadata.symbol)] : []),
    ...(isChanged('uri') ? [update(tokenMetadataField('Uri'), metadata.uri)] : []),
    update(tokenMetadataField('Key', [revisionField]), `${revision}`),
  ]
}

/** Creates the instruction that changes how many tokens a collection can have. */
export const createLimitInstruction = (
  { operator }: MintParts,
  group: Address,
  supplyLimit: bigint,
): Instruction =>
  getUpdateTokenGroupMaxSizeInstruction({ group, updateAuthority: operator, maxSize: maxSizeOf(supplyLimit) })
