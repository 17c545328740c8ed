import {
  type Address,
  address,
  assertIsFullySignedTransaction,
  type Base64EncodedWireTransaction,
  createKeyPairFromPrivateKeyBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  fetchEncodedAccounts,
  getBase58Encoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  isAddress,
  type MaybeEncodedAccount,
  partiallySignTransaction,
  type Rpc,
  type SignatureBytes,
  type SolanaRpcApi,
  signatureBytes,
  type TransactionWithinSizeLimit,
  verifySignature,
} from '@solana/kit'
import {
  decodeToken,
  fetchMaybeToken,
  findAssociatedTokenPda,
  getBurnInstruction,
  getCloseAccountInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { blockhashExpired, blockhashLifetime, toErrorText } from 'kassa/engine'
import { toServiceError } from '#base/errors.js'
import type { MessagePort } from '#base/ports/messages.js'
import type { WalletResult, WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { readLogs } from '../outbox/explainFailure.js'
import { decode, readTransaction } from './readTransaction.js'

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

type Signing = Pick<Parameters<MessagePort['send']>[1], 'transaction' | 'signatures' | 'privateKey'>

/** Adds the signatures of the approvers and of the wallet's own key to a transaction. */
const signTransaction = async ({ transaction, signatures, privateKey }: Signing) => {
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
  return {
    signedTransaction: getBase64EncodedWireTransaction(signed as typeof signed & TransactionWithinSizeLimit),
    signature: getSignatureFromTransaction(signed),
  }
}

const isSignature: MessagePort['isSignature'] = async ({ address, message, signature }) => {
  if (!isAddress(address)) return false
  try {
    const key = await getPublicKeyFromAddress(address)
    const bytes = signatureBytes(Uint8Array.from(getBase58Encoder().encode(signature)))
    return await verifySignature(key, bytes, getBase58Encoder().encode(message))
  } catch {
    return false
  }
}

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
      if (!isValid) throw toServiceError(blockhashExpired(field))
      const { err, logs } = tried
      if (err === null) return { status: 'ready', lastValidBlockHeight: height + blockhashLifetime }
      return {
        status: 'failed',
        error: { reason: 'program_error', message: toErrorText(err), logs: logs ?? [] },
      }
    }),
  listParties: (transaction) =>
    read(async (rpc) => {
      const { messageBytes } = decode('transaction', transaction)
      const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes)
      const accounts = await fetchEncodedAccounts(rpc, [...staticAccounts], { commitment: 'confirmed' })
      return [...new Set([...staticAccounts, ...accounts.flatMap(listOwners)])]
    }),
  isSignature,
  send: (key, signing, options) =>
    use(async ({ rpc, outbox }) => {
      const bytes = {
        ...(await signTransaction(signing)),
        lastValidBlockHeight: signing.lastValidBlockHeight,
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
