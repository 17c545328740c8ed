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

/** Asks the contract for the fee. Returns `absent` if there is none, and `undefined` if it does not tell. */
const askFee = async (
  client: PublicClient,
  chainId: number,
  { to, data, value, gas, fees }: PricedCall,
): Promise<bigint | 'absent' | undefined> => {
  const unsigned = serializeTransaction({ chainId, nonce: 0xffffff, to, data, value, gas, ...fees })
  const bytes = `${unsigned}${'ff'.repeat(signatureBytes)}` as Hex
  const length = BigInt(size(bytes))
  const words = [32n, length].map((word) => numberToHex(word, { size: 32 }).slice(2)).join('')
  const question = `${getL1Fee}${words}${bytes.slice(2)}${'00'.repeat(Number((32n - (length % 32n)) % 32n))}`
  const answer = await client.call({ to: gasPriceOracle, data: question as Hex }).catch(() => undefined)
  if (answer && !answer.data) return 'absent'
  return answer?.data && size(answer.data) === 32 ? (hexToBigInt(answer.data) * 3n) / 2n : undefined
}

/**
 * Returns what some chains charge for the data of each of several transactions in addition to its gas, in wei, with a
 * margin. Returns 0 for each on all other chains.
 */
export const readDataFees = async (
  client: PublicClient,
  chainId: number,
  calls: readonly PricedCall[],
): Promise<bigint[]> => {
  const [first, ...others] = calls
  if (!first) return []
  const ask = (call: PricedCall) => askFee(client, chainId, call)
  const fee = await ask(first)
  const fees = fee === 'absent' ? others.map(() => fee) : await Promise.all(others.map(ask))
  return [fee, ...fees].map((each) => (typeof each === 'bigint' ? each : 0n))
}

/** Returns the same for one transaction. */
export const readDataFee = async (client: PublicClient, chainId: number, call: PricedCall): Promise<bigint> =>
  (await readDataFees(client, chainId, [call]))[0] ?? 0n
