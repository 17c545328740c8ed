export { type CreateTestServiceParameters, createTestService } from './createTestService.js'
export {
  type CreateTestSolanaWalletParameters,
  createTestSolanaWallet,
  type TestSolanaWallet,
} from './createTestSolanaWallet.js'
export { type CreateTestWalletParameters, createTestWallet, type TestWallet } from './createTestWallet.js'
export {
  type CreateTestWalletClientParameters,
  createTestWalletClient,
} from './createTestWalletClient.js'
export { installTestAuthenticator, type TestAuthenticator } from './installTestAuthenticator.js'
export type { TestChainName } from './network.js'
export { delivered, type ItemDraft, itemFixture, type OrderDraft, orderFixture } from './orderFixture.js'
export { type OrderName, orders } from './orders.js'
export type { MintedSolanaToken, MintedToken } from './service/mintTokens.js'
export type { TestPaymentOptions } from './service/payment.js'
export type { TestCollection } from './service/testCollection.js'
export type { Timings } from './service/testWorld.js'
export type { GivenSolanaToken, GivenToken } from './service/wallets/giveToken.js'
export type { TestSolanaParameters } from './solana/openSolanaNode.js'
export type { TestChain, TestRequest, TestService } from './testService.js'
export type { WalletRequest } from './wallet/createTestProvider.js'
export type { HeldRequest } from './wallet/walletScript.js'
