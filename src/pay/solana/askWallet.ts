import { causes, readProperty } from '../../chain/evm/causes.js'
import { readTransaction, toBase64, writeUnsigned } from '../../chain/solana/transaction.js'
import { isUnchangedPayment } from '../../chain/solana/transfer.js'
import { encodeBase58 } from '../../engine/solana/base58.js'
import { isKassaError, type KassaError } from '../../errors/KassaError.js'
import { payError } from '../../errors/payError.js'
import type { Answer } from '../family.js'
import type { Connected } from './createWallets.js'
import { noLastBlock } from './findPayment.js'
import type { SolanaNode } from './node.js'

// EIP-1193's code and that of Wallet Standard. Wallets answer with either.
const rejections: readonly unknown[] = [4001, 4_001_000]
// EIP-1193: unauthorised, unsupported. A disconnected wallet (4900) may have sent before it lost its connection.
const refusals: readonly unknown[] = [4100, 4200]

/** Returns the error of a wallet that certainly did not send; undefined if it may have sent. */
export const readRefusal = (cause: unknown): KassaError | undefined => {
  if (isKassaError(cause)) return cause
  const codes = causes(cause).map((each) => readProperty(each, 'code'))
  if (codes.some((code) => rejections.includes(code))) return payError('pay.rejected', {}, { cause })
  const code = codes.find((each) => refusals.includes(each))
  return code === undefined ? undefined : failed(`it answered with ${code}`, cause)
}

const failed = (reason: string, cause?: unknown): KassaError =>
  payError('pay.wallet-failed', { reason }, { cause })

/** A payment to ask a wallet for. */
export type Asked = {
  connected: Connected
  message: Uint8Array
  /** The cluster, such as `solana:mainnet`. */
  chain: string
  /** Whether the payment may still be sent, however late the wallet answers. */
  isWanted(): boolean
}

/**
 * Asks a wallet that only signs, and sends what it signed. A wallet may add to the message, such as a fee of its own,
 * and the payment must still be the same.
 */
const signAndSend = async (
  node: SolanaNode,
  { connected: { wallet, account }, message, chain, isWanted }: Asked,
): Promise<Answer> => {
  const sign = wallet.features['solana:signTransaction']
  if (!sign) throw failed('it cannot sign transactions')
  // A wallet that only signs has sent nothing, whatever it answers.
  const [output] = await sign
    .signTransaction({ account, transaction: writeUnsigned(message), chain })
    .catch((cause: unknown) => {
      throw readRefusal(cause) ?? failed('it signed nothing', cause)
    })
  const signed = output && readTransaction(output.signedTransaction)
  const [signature] = signed?.signatures ?? []
  if (!output || !signed || !signature?.some(Boolean)) throw failed('it answered without a signature')
  if (!isUnchangedPayment(message, signed.message)) throw failed('it changed the payment')
  // Meanwhile the order may be paid otherwise, or the buyer may have started another payment.
  if (!isWanted()) throw failed('it answered too late')
  const signedTransaction = toBase64(output.signedTransaction)
  // Sent again until it is in a block.
  await node.send(signedTransaction).catch(() => undefined)
  return { txId: encodeBase58(signature), signedTransaction }
}

/**
 * Returns the last block that can take in what a wallet may still send. A wallet that sends itself may put a newer block
 * into the message when its owner confirms late, so its silence proves nothing.
 *
 * @param messageHeight - The last block that can take in the message as it is.
 */
export const getLastBlockHeight = ({ wallet }: Connected, messageHeight: bigint): bigint =>
  wallet.features['solana:signAndSendTransaction'] ? noLastBlock : messageHeight

/** Asks the wallet once to sign and send a message. */
export const askWallet = async (node: SolanaNode, asked: Asked): Promise<Answer> => {
  const { connected, message, chain } = asked
  const { wallet, account } = connected
  const feature = wallet.features['solana:signAndSendTransaction']
  if (!feature) return signAndSend(node, asked)
  const options = { preflightCommitment: 'confirmed' }
  const transaction = writeUnsigned(message)
  const [output] = await feature.signAndSendTransaction({ account, transaction, chain, options })
  if (!output?.signature.length) throw new Error('the wallet answered without a signature')
  return { txId: encodeBase58(output.signature) }
}
