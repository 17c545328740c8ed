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

const common = {
  id: 'one',
  status: 'failed',
  approvals: {
    pending: [{ signer: '0xa2', message: '0x00' }],
    submitted: [
      {
        signer: '0xa2',
        message: '0x00',
        signature: '0x01',
        submittedAt: 1_767_225_600_000,
        metadata: { deviceInfo: 'phone', ipAddress: '127.0.0.1', userAgent: 'browser' },
      },
    ],
    required: 1,
  },
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:01.000Z',
  error: {
    reason: 'execution_reverted',
    message: 'It reverted',
    revert: {
      type: 'contract_call',
      reason: 'SoldOut(0)',
      reasonData: '0x02',
      explorerLink: 'https://explorer.example',
      simulationLink: 'https://simulation.example',
    },
    logs: ['a line'],
  },
  sendParams: {
    token: 'base-sepolia:usdc',
    params: { amount: '1.5', recipient: 'email:zoe@shop.example', recipientAddress: '0xb1' },
  },
}

const userOperation = {
  sender: '0xa1',
  nonce: '0x0',
  callData: '0x',
  callGasLimit: '0x1',
  verificationGasLimit: '0x1',
  preVerificationGas: '0x1',
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
  signature: '0x',
  factory: '0xfa',
  factoryData: '0x',
  paymaster: '0xba',
  paymasterVerificationGasLimit: '0x1',
  paymasterPostOpGasLimit: '0x1',
  paymasterData: '0x',
}

const landed = { txId: '0x03', explorerLink: 'https://explorer.example/tx/0x03' }

/** A transaction of a smart wallet, with every field there is. */
export const smart = {
  walletType: 'evm-smart-wallet',
  ...common,
  params: { calls: [{ to: '0xb1', value: '0', data: '0x' }], chain: 'base-sepolia', signer: '0xa2' },
  onChain: { userOperation, userOperationHash: '0x00', ...landed },
}

/** A transaction of a wallet of a type that this version does not know. */
export const otherTransaction = {
  walletType: 'sui-smart-wallet',
  ...common,
  params: { chain: 'sui', gas: 1 },
  onChain: { digest: 'one', ...landed },
}

/** A token in a wallet, with every field there is. */
export const walletToken = {
  chain: 'base-sepolia',
  contractAddress: '0xc0',
  tokenId: '1',
  mintHash: 'none',
  metadata: {
    name: 'Dune 1',
    description: 'Sand',
    image: 'ipfs://picture',
    animation_url: 'ipfs://film',
    attributes: [{ trait_type: 'grain', value: 'fine' }],
    collection: { name: 'Dunes' },
  },
  locator: 'base-sepolia:0xc0:1',
  tokenStandard: 'ERC-5643',
  subscription: { expiresAt: '2027-01-01T00:00:00.000Z' },
}
