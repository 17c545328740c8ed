import * as schema from 'kassa/schema'
import * as z from 'zod/mini'
import { ErrorAnswer, ReasonErrorAnswer, TextErrorAnswer } from './errorAnswer.js'

const {
  Action,
  ApiKey,
  AuditEntry,
  Balance,
  Collection,
  fields,
  members,
  Nft,
  Order,
  PaymentLink,
  Refund,
  Shipment,
  TimelineEntry,
  Wallet,
  WalletToken,
  WebhookDelivery,
  WebhookEndpoint,
} = schema

/** The schemas of `kassa/schema` under their names: what the service answers with, but for lists and bodies. */
const answered = Object.entries(schema).flatMap(([name, value]) =>
  typeof value === 'object' && '_zod' in value && !/(Answer|Body|Event|List)$/.test(name)
    ? [[name, value] as const]
    : [],
)

/** What is described once in the document, and referred to by these names. */
const named = {
  ...Object.fromEntries(answered),
  ActionData: fields.ActionData,
  ContractCall: fields.ContractCall,
  DirectCall: fields.DirectCall,
  Error: ErrorAnswer,
  EvmMpcWalletParams: fields.EvmMpcWalletParams,
  EvmMpcWalletTransaction: fields.EvmMpcWalletTransaction,
  EvmSmartWalletParams: fields.EvmSmartWalletParams,
  EvmSmartWalletTransaction: fields.EvmSmartWalletTransaction,
  KeypairApproval: fields.KeypairApproval,
  LineItemInput: fields.LineItemInput,
  PasskeyApproval: fields.PasskeyApproval,
  ReasonError: ReasonErrorAnswer,
  SerializedCall: fields.SerializedCall,
  SolanaMpcWalletParams: fields.SolanaMpcWalletParams,
  SolanaMpcWalletTransaction: fields.SolanaMpcWalletTransaction,
  SolanaSmartWalletParams: fields.SolanaSmartWalletParams,
  SolanaSmartWalletTransaction: fields.SolanaSmartWalletTransaction,
  TextError: TextErrorAnswer,
  TransactionError: fields.TransactionError,
  UserOperation: fields.UserOperation,
}
for (const [id, one] of Object.entries(named)) z.globalRegistry.add(one, { id })

/** The members this version knows of each enumeration that may grow; to a reader they are any string. */
const openMembers: readonly (readonly [z.ZodMiniType, readonly string[]])[] = [
  [Order.shape.phase, members.phases],
  [fields.Quote.shape.status, members.quoteStatuses],
  [fields.LineItemQuote.shape.status, members.lineItemQuoteStatuses],
  [fields.Payment.shape.status, [...members.paymentStatuses, ...members.foreignPaymentStatuses]],
  [fields.PaymentFailure.shape.code, members.paymentFailureCodes],
  [fields.Delivery.shape.status, members.deliveryStatuses],
  [AuditEntry.shape.outcome, members.auditOutcomes],
  [ApiKey.shape.kind, members.apiKeyKinds],
  [ApiKey.shape.status, members.apiKeyStatuses],
  [PaymentLink.shape.status, members.paymentLinkStatuses],
  [WebhookEndpoint.shape.status, members.endpointStatuses],
  [WebhookDelivery.shape.status, members.webhookDeliveryStatuses],
  [TimelineEntry.shape.type, members.timelineKinds],
  [Refund.shape.status, members.refundStatuses],
  [Refund.shape.cause, members.refundCauses],
  [Shipment.shape.status, members.shipmentStatuses],
  [Action.shape.action, members.actionNames],
  [Action.shape.status, members.actionStatuses],
  [Collection.shape.fungibility, members.fungibilities],
  [Collection.shape.onChain.shape.type, members.collectionStandards],
  [Nft.shape.onChain.shape.status, members.mintStatuses],
  [Wallet.shape.type, members.walletTypes],
  [fields.AdminSigner.shape.type, members.signerTypes],
  // All variants of a transaction share these fields.
  [fields.EvmSmartWalletTransaction.shape.status, members.transactionStatuses],
  [fields.TransactionError.shape.reason, members.transactionErrorReasons],
  [fields.Revert.shape.type, members.revertTypes],
  [Balance.shape.token, members.balanceTokens],
]
for (const [open, members] of openMembers) z.globalRegistry.add(open, { enum: members })

z.globalRegistry.add(WalletToken.shape.tokenStandard.def.out, { enum: members.walletTokenStandards })
z.globalRegistry.add(fields.PaymentTransaction.shape.use, { enum: members.paymentUses })
z.globalRegistry.add(fields.SentRefund.shape.causes.def.out.def.innerType.def.element, {
  enum: members.refundCauses,
})
z.globalRegistry.add(fields.HeldRefund.shape.reason.def.out, { enum: members.refundHoldReasons })
