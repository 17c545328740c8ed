import { actionRoutes } from './actions.js'
import { apiKeyRoutes } from './apiKeys.js'
import { auditLogRoutes } from './auditLog.js'
import { balanceRoutes } from './balances.js'
import { collectionRoutes } from './collections.js'
import { credentialRoutes } from './credentials.js'
import { nftRoutes } from './nfts.js'
import { orderRoutes } from './orders.js'
import { paymentLinkRoutes } from './paymentLinks.js'
import type { Route } from './route.js'
import { templateRoutes } from './templates.js'
import { transactionRoutes } from './transactions.js'
import { uploadRoutes } from './uploads.js'
import { walletRoutes } from './wallets.js'
import { walletTokenRoutes } from './walletTokens.js'
import { webhookEndpointRoutes } from './webhookEndpoints.js'

/** Every operation of the interface that this service serves. */
export const routes: readonly Route[] = [
  ...collectionRoutes,
  ...templateRoutes,
  ...nftRoutes,
  ...uploadRoutes,
  ...actionRoutes,
  ...orderRoutes,
  ...paymentLinkRoutes,
  ...walletRoutes,
  ...transactionRoutes,
  ...balanceRoutes,
  ...walletTokenRoutes,
  ...credentialRoutes,
  ...auditLogRoutes,
  ...apiKeyRoutes,
  ...webhookEndpointRoutes,
]
