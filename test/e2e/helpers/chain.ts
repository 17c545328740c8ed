import { createPublicClient, getAddress, http, parseAbiItem, zeroAddress } from 'viem'

type Stack = { serviceUrl: string }

const transfer = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
)

/** The address of a chain's node, as the sandbox offers it to wallets. */
export const rpcUrlOf = ({ serviceUrl }: Stack, chain: string): string => `${serviceUrl}/rpc/${chain}`

/** Gives an address test funds from the sandbox's faucet. */
export const fund = async ({ serviceUrl }: Stack, chain: string, address: string): Promise<void> => {
  const response = await fetch(`${serviceUrl}/sandbox/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chain, address }),
  })
  if (!response.ok) throw new Error(`the faucet answered ${response.status}`)
}

/** Ids of every token that a contract ever minted to an address, by its logs. */
export const findMints = async (
  stack: Stack,
  { chain, contract, to }: { chain: string; contract: string; to: string },
): Promise<bigint[]> => {
  const node = createPublicClient({ transport: http(rpcUrlOf(stack, chain)) })
  const logs = await node.getLogs({
    address: getAddress(contract),
    event: transfer,
    args: { from: zeroAddress, to: getAddress(to) },
    fromBlock: 0n,
    strict: true,
  })
  return logs.map(({ args }) => args.tokenId)
}
