export { type CreateTestServiceParameters, createTestService } from './createTestService.js'
export { type CreateTestWalletParameters, createTestWallet, type TestWallet } from './createTestWallet.js'
export {
  type CreateTestWalletClientParameters,
  createTestWalletClient,
} from './createTestWalletClient.js'
export { installTestAuthenticator, type TestAuthenticator } from './installTestAuthenticator.js'
export { delivered, type ItemDraft, itemFixture, type OrderDraft, orderFixture } from './orderFixture.js'
export { type OrderName, orders } from './orders.js'
export type { MintedToken } from './service/mintTokens.js'
export type { TestPaymentOptions } from './service/payment.js'
export type { TestCollection } from './service/testCollection.js'
export type { Timings } from './service/testWorld.js'
export type { GivenToken } from './service/wallets/giveToken.js'
export type { TestChain, TestRequest, TestService } from './testService.js'
export type { WalletRequest } from './wallet/createTestProvider.js'
export type { HeldRequest } from './wallet/walletScript.js'
