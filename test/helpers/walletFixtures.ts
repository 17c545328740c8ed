import type { EvmSmartWalletTransaction, Wallet } from '../../src/schema/index.js'

export const walletAddress = `0x${'a1'.repeat(20)}`

export const walletFixture: Wallet = {
  type: 'evm-smart-wallet',
  address: walletAddress,
  linkedUser: 'email:ada@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
}

/** What a transaction's signer is to sign. */
export const message = `0x${'5e'.repeat(32)}`

/** A transaction as the service answers it, of a signer who has yet to approve it unless told otherwise. */
export const transactionFixture = (
  signer: string,
  fields: Partial<EvmSmartWalletTransaction> = {},
): EvmSmartWalletTransaction => ({
  id: '0b9f1c52-2b5e-4f0c-9a36-6f0c7d0f4a10',
  walletType: 'evm-smart-wallet',
  status: 'awaiting-approval',
  params: { calls: [{ to: walletAddress, value: '0', data: '0x' }], chain: 'base-sepolia', signer },
  onChain: {
    userOperation: {
      sender: walletAddress,
      nonce: '0x0',
      callData: '0x',
      callGasLimit: '0x0',
      verificationGasLimit: '0x0',
      preVerificationGas: '0x0',
      maxFeePerGas: '0x0',
      maxPriorityFeePerGas: '0x0',
      signature: '0x',
    },
    userOperationHash: message,
  },
  approvals: { pending: [{ signer, message }], submitted: [], required: 1 },
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})
