import { fromBaseUnits } from 'kassa/schema'
import { type Address, type PublicClient, parseAbi } from 'viem'

const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

/** More decimals than any feed has. Dollar amounts are computed with twenty. */
const maxDecimals = 18

/**
 * Reads a price feed with Chainlink's interface (`AggregatorV3Interface`).
 *
 * @returns `undefined` while the feed's answer is not a price.
 * @throws if there is no feed at the address.
 */
export const readRateFeed = async (
  client: PublicClient,
  address: Address,
): Promise<{ rate: string; updatedAtMs: number } | undefined> => {
  const [decimals, [roundId, answer, , updatedAt]] = await Promise.all([
    client.readContract({ address, abi, functionName: 'decimals' }),
    client.readContract({ address, abi, functionName: 'latestRoundData' }),
  ])
  const isPrice = answer > 0n && roundId > 0n && updatedAt > 0n && decimals <= maxDecimals
  return isPrice
    ? { rate: fromBaseUnits(answer, decimals), updatedAtMs: Number(updatedAt) * 1000 }
    : undefined
}
