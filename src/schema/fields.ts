/** The schemas of fields: what bodies and answers are made of, under the names of their types. */
export { ActionData, ActionError } from './action.js'
export { Amount } from './amount.js'
export { CollectionMetadata } from './collection.js'
export { Gift, OrderMetadata } from './createOrder.js'
export { CredentialProof } from './credential.js'
export { Decimal } from './decimal.js'
export { DeliveredToken, Delivery } from './delivery.js'
export { LineItemInput } from './lineItemInput.js'
export { LocaleTag } from './localeTag.js'
export { ChosenId, CollectionLocator, TemplateId, WalletAddress } from './locator.js'
export { MintRecipient } from './mintRecipient.js'
export { NftMetadata } from './nft.js'
export { NftMetadataInput } from './nftInput.js'
export {
  ClaimableRefund,
  HeldRefund,
  Payment,
  PaymentFailure,
  PaymentTransaction,
  Preparation,
  ReceivedPayment,
  SentRefund,
  Transfer,
} from './payment.js'
export { PaymentInput } from './paymentInput.js'
export { Price } from './price.js'
export { LineItemQuote, Quote, Timestamp } from './quote.js'
export { PhysicalAddress, RecipientInput } from './recipient.js'
export { FileUrl } from './text.js'
export { TokenLocator, TokenOwner } from './tokenLocator.js'
export {
  EvmMpcWalletTransaction,
  EvmSmartWalletTransaction,
  OtherTransaction,
  PendingApproval,
  Revert,
  SentToken,
  SolanaMpcWalletTransaction,
  SolanaSmartWalletTransaction,
  SubmittedApproval,
  TransactionError,
  UserOperation,
} from './transaction.js'
export {
  AbiEntry,
  Approval,
  ContractCall,
  DirectCall,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  KeypairApproval,
  PasskeyApproval,
  SerializedCall,
  SolanaMpcWalletParams,
  SolanaSmartWalletParams,
  TransactionCall,
} from './transactionInput.js'
export { AdminSigner } from './wallet.js'
export {
  AdminSignerInput,
  CustodialSignerInput,
  KeypairSignerInput,
  OtherSignerInput,
  PasskeySignerInput,
  SolanaCustodialSignerInput,
} from './walletInput.js'
export { UserLocator, WalletLocator } from './walletLocator.js'
export { WalletTokenMetadata } from './walletToken.js'
