import {
  type Address,
  type Hex,
  hexToBigInt,
  numberToHex,
  type PublicClient,
  serializeTransaction,
  size,
} from 'viem'
import type { PricedCall } from './signCall.js'

/** Where chains that write their data to another chain (OP Stack) tell what that costs. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const getL1Fee: Hex = '0x49948e0e'
/** Every signature makes a transaction this much longer. */
const signatureBytes = 67

/** What some chains take for the data of a transaction beside its gas, in wei, with a margin; 0 on all others. */
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
