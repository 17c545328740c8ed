import {
  type Address,
  type Hex,
  hexToBigInt,
  numberToHex,
  type PublicClient,
  serializeTransaction,
  size,
} from 'viem'
import type { PricedCall } from '../outbox/signCall.js'

/** The contract at which OP Stack chains report the cost of writing their data to another chain. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const getL1Fee: Hex = '0x49948e0e'
/** How many bytes a signature adds to a transaction. */
const signatureBytes = 67

/**
 * Returns what some chains charge for a transaction's data in addition to its gas, in wei, with a margin.
 * Returns 0 on all others.
 */
export const readDataFee = async (
  client: PublicClient,
  chainId: number,
  { to, data, value, gas, fees }: PricedCall,
): Promise<bigint> => {
  const unsigned = serializeTransaction({ chainId, nonce: 0xffffff, to, data, value, gas, ...fees })
  const bytes = `${unsigned}${'ff'.repeat(signatureBytes)}` as Hex
  const length = BigInt(size(bytes))
  const words = [32n, length].map((word) => numberToHex(word, { size: 32 }).slice(2)).join('')
  const question = `${getL1Fee}${words}${bytes.slice(2)}${'00'.repeat(Number((32n - (length % 32n)) % 32n))}`
  const answer = await client.call({ to: gasPriceOracle, data: question as Hex }).catch(() => undefined)
  return answer?.data && size(answer.data) === 32 ? (hexToBigInt(answer.data) * 3n) / 2n : 0n
}
