import {
  Action,
  Balance,
  Collection,
  Credential,
  fields,
  members,
  Nft,
  Order,
  Template,
  Transaction,
  Wallet,
  WalletToken,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { ErrorAnswer, ReasonErrorAnswer, TextErrorAnswer } from './errorAnswer.js'

/** What is described once in the document, and referred to by these names. */
const named = {
  Action,
  ActionData: fields.ActionData,
  Balance,
  Collection,
  ContractCall: fields.ContractCall,
  Credential,
  DirectCall: fields.DirectCall,
  Error: ErrorAnswer,
  EvmMpcWalletParams: fields.EvmMpcWalletParams,
  EvmMpcWalletTransaction: fields.EvmMpcWalletTransaction,
  EvmSmartWalletParams: fields.EvmSmartWalletParams,
  EvmSmartWalletTransaction: fields.EvmSmartWalletTransaction,
  KeypairApproval: fields.KeypairApproval,
  LineItemInput: fields.LineItemInput,
  Nft,
  Order,
  PasskeyApproval: fields.PasskeyApproval,
  ReasonError: ReasonErrorAnswer,
  SerializedCall: fields.SerializedCall,
  SolanaMpcWalletParams: fields.SolanaMpcWalletParams,
  SolanaMpcWalletTransaction: fields.SolanaMpcWalletTransaction,
  SolanaSmartWalletParams: fields.SolanaSmartWalletParams,
  SolanaSmartWalletTransaction: fields.SolanaSmartWalletTransaction,
  Template,
  TextError: TextErrorAnswer,
  Transaction,
  TransactionError: fields.TransactionError,
  UserOperation: fields.UserOperation,
  Wallet,
  WalletToken,
}
for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { id })

/** The members this version knows of each enumeration that may grow; to a reader they are any string. */
const openMembers: readonly (readonly [z.ZodMiniType, readonly string[]])[] = [
  [Order.shape.phase, members.phases],
  [fields.Quote.shape.status, members.quoteStatuses],
  [fields.LineItemQuote.shape.status, members.lineItemQuoteStatuses],
  [fields.Payment.shape.status, [...members.paymentStatuses, ...members.foreignPaymentStatuses]],
  [fields.PaymentFailure.shape.code, members.paymentFailureCodes],
  [fields.Delivery.shape.status, members.deliveryStatuses],
  [Action.shape.action, members.actionNames],
  [Action.shape.status, members.actionStatuses],
  [Collection.shape.fungibility, members.fungibilities],
  [Collection.shape.onChain.shape.type, members.tokenStandards],
  [Nft.shape.onChain.shape.status, members.mintStatuses],
  [Wallet.shape.type, members.walletTypes],
  [fields.AdminSigner.shape.type, members.evmSignerTypes],
  // All variants of a transaction share these fields.
  [fields.EvmSmartWalletTransaction.shape.status, members.transactionStatuses],
  [fields.TransactionError.shape.reason, members.transactionErrorReasons],
  [fields.Revert.shape.type, members.revertTypes],
  [Balance.shape.token, members.balanceTokens],
]
for (const [schema, members] of openMembers) z.globalRegistry.add(schema, { enum: members })

z.globalRegistry.add(WalletToken.shape.tokenStandard.def.out, { enum: members.walletTokenStandards })
