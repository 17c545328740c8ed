/** A wallet with every field there is. */
export const wallet = {
  type: 'evm-smart-wallet',
  address: '0xa1',
  config: {
    adminSigner: {
      type: 'evm-passkey',
      address: '0xa2',
      id: 'credential',
      publicKey: { x: '0x01', y: '0x02' },
      name: 'Phone',
      locator: 'evm-passkey:credential',
    },
  },
  linkedUser: 'email:ada@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
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
const solana = {
  ...common,
  params: { transaction: 'base58', requiredSigners: ['one'], signer: 'two' },
  onChain: { transaction: 'base58', lastValidBlockHeight: 7, ...landed },
}

/** A transaction of a smart wallet, with every field there is. */
export const smart = {
  walletType: 'evm-smart-wallet',
  ...common,
  params: { calls: [{ to: '0xb1', value: '0', data: '0x' }], chain: 'base-sepolia', signer: '0xa2' },
  onChain: { userOperation, userOperationHash: '0x00', ...landed },
}

/** A transaction of each kind of wallet, with every field there is. */
export const transactions = [
  smart,
  {
    walletType: 'evm-mpc-wallet',
    ...common,
    params: { call: { to: '0xb1', data: '0x' }, chain: 'base-sepolia' },
    onChain: { call: { to: '0xb1', data: '0x' }, ...landed },
  },
  { walletType: 'solana-smart-wallet', ...solana },
  { walletType: 'solana-mpc-wallet', ...solana },
]

/** A transaction of a wallet of a type that this version does not know. */
export const otherTransaction = {
  walletType: 'sui-smart-wallet',
  ...common,
  params: { chain: 'sui', gas: 1 },
  onChain: { digest: 'one', ...landed },
}

/** What a wallet holds of two tokens. */
export const balances = [
  { token: 'eth', decimals: 18, balances: { 'base-sepolia': '1', total: '1' } },
  { token: 'usdc', decimals: 6, balances: { total: '0' } },
]

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

/** A credential with every field there is. */
export const credential = {
  value: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    id: 'urn:uuid:one',
    type: ['VerifiableCredential'],
    issuer: { id: 'did:pkh:eip155:84532:0xd0' },
    credentialSubject: { id: 'did:pkh:eip155:84532:0xa1' },
    nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: '0xc0' },
    issuanceDate: '2026-01-01T00:00:00.000Z',
    expirationDate: '2026-02-01T00:00:00.000Z',
    proof: {
      type: 'EthereumEip712Signature2021',
      created: '2026-01-01T00:00:00.000Z',
      proofPurpose: 'assertionMethod',
      verificationMethod: 'did:pkh:eip155:84532:0xd0#controller',
      proofValue: '0x04',
      eip712: { domain: { name: 'kassa' }, types: { Nft: [] }, primaryType: 'VerifiableCredential' },
    },
  },
}
