import {
  type Address,
  address,
  assertIsFullySignedTransaction,
  type Base64EncodedWireTransaction,
  createKeyPairFromPrivateKeyBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  decompileTransactionMessage,
  fetchEncodedAccounts,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  isAddress,
  type MaybeEncodedAccount,
  partiallySignTransaction,
  type Rpc,
  type SignatureBytes,
  type SolanaRpcApi,
  signatureBytes,
  type Transaction,
  type TransactionWithinSizeLimit,
  verifySignature,
} from '@solana/kit'
import { identifySystemInstruction, SYSTEM_PROGRAM_ADDRESS, SystemInstruction } from '@solana-program/system'
import {
  decodeToken,
  fetchMaybeToken,
  findAssociatedTokenPda,
  getBurnInstruction,
  getCloseAccountInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { ServiceError } from '#base/errors.js'
import type { MessagePort, ReadMessage } from '#base/ports/messages.js'
import type { WalletResult, WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { readLogs, toText } from '../outbox/explainFailure.js'

/** A blockhash is good for this many blocks. */
const blockhashLifetime = 150n

const invalid = (field: string, message: string) => new ServiceError('input-invalid', `${field}: ${message}`)

const decode = (field: string, text: string): Transaction => {
  try {
    const transaction = getTransactionDecoder().decode(getBase58Encoder().encode(text))
    const encoded = getTransactionEncoder().encode(transaction)
    // A decoder ignores what follows.
    if (getBase58Decoder().decode(encoded) === text) return transaction
  } catch {
    // Said below.
  }
  throw invalid(field, 'expected a serialized transaction in base58, of version 0 or a legacy one')
}

type Compiled = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>

/** Decodes a message, or returns `undefined` for another version, or bytes that do not end with it. */
const decodeMessage = (bytes: Transaction['messageBytes']): Exclude<Compiled, { version: 1 }> | undefined => {
  try {
    const compiled = getCompiledTransactionMessageDecoder().decode(bytes)
    if (compiled.version === 1) return undefined
    const encoded = getCompiledTransactionMessageEncoder().encode(compiled)
    return Buffer.compare(Uint8Array.from(encoded), Uint8Array.from(bytes)) === 0 ? compiled : undefined
  } catch {
    return undefined
  }
}

const isNonceAdvance = ({ programAddress, data, accounts }: Instruction): boolean => {
  if (programAddress !== SYSTEM_PROGRAM_ADDRESS || !data || !accounts) return false
  try {
    const kind = identifySystemInstruction({ data: Uint8Array.from(data) })
    return kind === SystemInstruction.AdvanceNonceAccount
  } catch {
    return false
  }
}

const readTransaction = (field: string, text: string, wallet: string): ReadMessage => {
  const { messageBytes, signatures } = decode(field, text)
  if (Object.values(signatures).some((signature) => signature?.some((byte) => byte > 0))) {
    throw invalid(field, 'expected a transaction without signatures: signers approve it here')
  }
  const compiled = decodeMessage(messageBytes)
  if (!compiled) throw invalid(field, 'expected a message of version 0, or a legacy one')
  if ('addressTableLookups' in compiled && compiled.addressTableLookups?.length) {
    throw invalid(field, 'expected a transaction without lookup tables, which hide its accounts')
  }
  const [feePayer, ...others] = compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts)
  if (feePayer !== wallet) throw invalid(field, `expected the fee payer ${wallet}, not ${feePayer}`)
  const instructions: readonly Instruction[] = decompileTransactionMessage(compiled).instructions
  if (instructions.some(isNonceAdvance)) {
    throw invalid(field, 'expected a recent blockhash, not a durable nonce, with which it would not expire')
  }
  return {
    transaction: text,
    message: getBase58Decoder().decode(messageBytes),
    signers: others,
  }
}

/** Returns the owner of a token account, or nothing for another account. */
const listOwners = (account: MaybeEncodedAccount): Address[] => {
  if (!account.exists || !tokenPrograms.includes(account.programAddress)) return []
  try {
    return [decodeToken(account).data.owner]
  } catch {
    // A mint.
    return []
  }
}

const tokenPrograms: readonly Address[] = [TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS]

const toWire = (text: string): Base64EncodedWireTransaction =>
  getBase64Decoder().decode(getBase58Encoder().encode(text)) as Base64EncodedWireTransaction

/** Creates the part of the wallet port that signs whole transactions. */
export const createMessagePort = ({ use, read }: Pick<ChainParts, 'use' | 'read'>): MessagePort => ({
  read: readTransaction,
  try: (field, transaction) =>
    read(async (rpc) => {
      const { messageBytes } = decode(field, transaction)
      const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(messageBytes)
      const [{ value: isValid }, height, { value: tried }] = await Promise.all([
        rpc.isBlockhashValid(lifetimeToken as never, { commitment: 'processed' }).send(),
        rpc.getBlockHeight({ commitment: 'confirmed' }).send(),
        rpc
          .simulateTransaction(toWire(transaction), {
            encoding: 'base64',
            commitment: 'confirmed',
            sigVerify: false,
            replaceRecentBlockhash: true,
          })
          .send(),
      ])
      if (!isValid) throw invalid(field, 'its blockhash has expired: use a recent one')
      const { err, logs } = tried
      if (err === null) return { status: 'ready', lastValidBlockHeight: height + blockhashLifetime }
      return { status: 'failed', error: { reason: 'program_error', message: toText(err), logs: logs ?? [] } }
    }),
  listParties: (transaction) =>
    read(async (rpc) => {
      const { messageBytes } = decode('transaction', transaction)
      const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes)
      const accounts = await fetchEncodedAccounts(rpc, [...staticAccounts], { commitment: 'confirmed' })
      return [...new Set([...staticAccounts, ...accounts.flatMap(listOwners)])]
    }),
  isSignature: async ({ address, message, signature }) => {
    if (!isAddress(address)) return false
    try {
      const key = await getPublicKeyFromAddress(address)
      const bytes = signatureBytes(Uint8Array.from(getBase58Encoder().encode(signature)))
      return await verifySignature(key, bytes, getBase58Encoder().encode(message))
    } catch {
      return false
    }
  },
  send: (key, { transaction, signatures, lastValidBlockHeight, privateKey }, options) =>
    use(async ({ rpc, outbox }) => {
      const keys = await createKeyPairFromPrivateKeyBytes(privateKey)
      const unsigned = decode('transaction', transaction)
      const given = Object.fromEntries(
        Object.entries(signatures).map(([address, text]): [string, SignatureBytes] => [
          address,
          signatureBytes(Uint8Array.from(getBase58Encoder().encode(text))),
        ]),
      ) as Record<Address, SignatureBytes>
      const approved = { ...unsigned, signatures: { ...unsigned.signatures, ...given } }
      const signed = await partiallySignTransaction([keys], approved)
      assertIsFullySignedTransaction(signed)
      const bytes = {
        signedTransaction: getBase64EncodedWireTransaction(
          signed as typeof signed & TransactionWithinSizeLimit,
        ),
        signature: getSignatureFromTransaction(signed),
        lastValidBlockHeight,
      }
      return toWalletResult(rpc, await outbox.sendSigned(key, bytes, options))
    }),
  burn: (key, { token, privateKey }, options) =>
    use(async ({ rpc, operator, outbox }) => {
      const holder = await createKeyPairSignerFromPrivateKeyBytes(privateKey)
      const mint = address(token)
      const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS
      const [account] = await findAssociatedTokenPda({ owner: holder.address, mint, tokenProgram })
      const makeInstructions = async () => {
        const held = await fetchMaybeToken(rpc, account, { commitment: 'confirmed' })
        const isLast = held.exists && held.data.amount === 1n
        const closing = { account, destination: operator.address, owner: holder }
        return [
          getBurnInstruction({ account, mint, authority: holder, amount: 1n }),
          // The operator has paid for the account.
          ...(isLast ? [getCloseAccountInstruction(closing)] : []),
        ]
      }
      const write = { makeInstructions, trace: account, isGuarded: true }
      return toWalletResult(rpc, await outbox.send(key, write, options))
    }),
  isExpired: (height) =>
    read(async (rpc) => (await rpc.getBlockHeight({ commitment: 'finalized' }).send()) > height),
})

const toWalletResult = async (rpc: Rpc<SolanaRpcApi>, sent: WriteResult): Promise<WalletResult> => {
  if (sent.status === 'succeeded') return { status: 'success', txId: sent.txId }
  const { reason: message, txId } = sent
  // Without a transaction in a block, its blockhash ran out before a block included it.
  if (txId === undefined) return { status: 'failed', error: { reason: 'failed_to_land_on_chain', message } }
  const logs = await readLogs(rpc, txId)
  return {
    status: 'failed',
    txId,
    error: { reason: 'program_error', message, ...(logs && { logs: [...logs] }) },
  }
}
