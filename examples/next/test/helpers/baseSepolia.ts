/** The test network that a shop's tests know, at a node that does not exist: stub `fetch` to answer for it. */
export const baseSepolia = {
  family: 'evm' as const,
  name: 'base-sepolia',
  label: 'Base Sepolia',
  rpcUrl: 'http://node.example',
  explorerUrl: undefined,
  nativeCurrency: 'eth',
  chainId: 84532,
  tokens: {},
}
