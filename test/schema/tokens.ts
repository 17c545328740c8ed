/** A collection with every field there is. */
export const collection = {
  id: 'dunes',
  metadata: { name: 'Dunes', description: 'Sand at dusk', imageUrl: 'ipfs://picture', symbol: 'DUN' },
  fungibility: 'non-fungible',
  onChain: { chain: 'base-sepolia', type: 'erc-5643', contractAddress: '0xc0', mintAddress: 'none' },
  transferable: false,
  supplyLimit: 100,
  payments: { price: '0.01', currency: 'eth', recipientAddress: '0xa1' },
  subscription: { enabled: true },
  actionId: 'one',
}

/** A token with every field there is. */
export const nft = {
  id: 'first',
  metadata: {
    name: 'Dune 1',
    image: 'ipfs://picture',
    description: 'Sand',
    animation_url: 'ipfs://film',
    attributes: [
      { trait_type: 'grain', value: 'fine' },
      { trait_type: 'height', value: 7 },
    ],
  },
  templateId: 'small',
  onChain: {
    status: 'success',
    chain: 'base-sepolia',
    contractAddress: '0xc0',
    tokenId: '1',
    mintHash: 'none',
    owner: '0xa1',
    txId: '0x7a',
  },
  subscription: { expiresAt: '2027-01-01T00:00:00.000Z' },
  actionId: 'two',
}

/** A template with every field there is. */
export const template = {
  templateId: 'small',
  metadata: { name: 'Small dune', image: 'ipfs://picture', description: 'Sand', symbol: 'DUN' },
  onChain: { tokenId: 7 },
  supply: { limit: 10, minted: 3 },
}

/** An action with every field there is. */
export const action = {
  actionId: 'two',
  action: 'nfts.create',
  status: 'failed',
  data: {
    chain: 'base-sepolia',
    txId: '0x7a',
    collection: { id: 'dunes', contractAddress: '0xc0', mintAddress: 'none' },
    recipient: { walletAddress: '0xa1', email: 'zoe@shop.example' },
    token: { id: 'first', owner: { walletAddress: '0xa1' }, tokenId: '1', mintHash: 'none' },
    changes: ['metadata'],
    contractArguments: { to: '0xa1' },
    error: {
      reason: 'execution_reverted',
      message: 'no',
      revertReason: 'SoldOut',
      callInfo: { functionName: 'mint', arguments: [1], calldata: '0x' },
    },
  },
  startedAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:01.000Z',
  resource: 'http://localhost:4000/api/2022-06-09/collections/dunes/nfts/first',
}
