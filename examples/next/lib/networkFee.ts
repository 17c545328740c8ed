import type { Amount } from 'kassa'
import { fromBaseUnits } from 'kassa/schema'
import { callNode } from './callNode'
import type { Network } from './networks'
import { isRecord, readNumber, readText } from './read'

const decimals = { evm: 18, solana: 9 } as const

// Not all significant digits: the fee in full is on the explorer's page.
const round = (amount: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.')
  const digits = fraction.search(/[1-9]/) + 3
  const short = fraction.slice(0, digits).replace(/0+$/, '')
  return short ? `${whole}.${short}` : whole
}

/** A payment's transaction, and who paid: another account may have sent it, such as the shop's. */
type Paid = { txId: string; payerAddress?: string | undefined }

const readEvmFee = async (rpcUrl: string, { txId, payerAddress }: Paid): Promise<bigint | undefined> => {
  const receipt = await callNode(rpcUrl, 'eth_getTransactionReceipt', [txId])
  const { gasUsed, effectiveGasPrice, from } = isRecord(receipt) ? receipt : {}
  const [gas, price] = [readText(gasUsed), readText(effectiveGasPrice)]
  const isByOther = payerAddress !== undefined && readText(from)?.toLowerCase() !== payerAddress.toLowerCase()
  return gas && price && !isByOther ? BigInt(gas) * BigInt(price) : undefined
}

const readSolanaFee = async (rpcUrl: string, { txId }: Paid): Promise<bigint | undefined> => {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const found = await callNode(rpcUrl, 'getTransaction', [txId, options])
  const fee = isRecord(found) && isRecord(found.meta) ? readNumber(found.meta.fee) : undefined
  return fee === undefined ? undefined : BigInt(fee)
}

/**
 * Reads from the chain what a payment's transaction cost its payer; undefined if the network does not know it, and if
 * another account paid for it.
 *
 * @throws Error when the network does not answer.
 */
export const readNetworkFee = async (network: Network, paid: Paid): Promise<Amount | undefined> => {
  const { family, rpcUrl, nativeCurrency } = network
  const units = await (family === 'solana' ? readSolanaFee : readEvmFee)(rpcUrl, paid)
  return units
    ? { amount: round(fromBaseUnits(units, decimals[family])), currency: nativeCurrency }
    : undefined
}
